import about from '../../../locales/en/about.json' with { type: 'json' };
import home from '../../../locales/en/home.json' with { type: 'json' };
import landing from '../../../locales/en/landing.json' with { type: 'json' };
import legal from '../../../locales/en/legal.json' with { type: 'json' };
import placeholders from '../../../locales/en/placeholders.json' with { type: 'json' };
import services from '../../../locales/en/services.json' with { type: 'json' };
import hydrated from './en';

export default { ...hydrated, about, home, landing, legal, placeholders, services };
