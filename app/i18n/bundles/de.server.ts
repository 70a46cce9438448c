import about from '../../../locales/de/about.json' with { type: 'json' };
import home from '../../../locales/de/home.json' with { type: 'json' };
import landing from '../../../locales/de/landing.json' with { type: 'json' };
import legal from '../../../locales/de/legal.json' with { type: 'json' };
import placeholders from '../../../locales/de/placeholders.json' with { type: 'json' };
import services from '../../../locales/de/services.json' with { type: 'json' };
import hydrated from './de';

export default { ...hydrated, about, home, landing, legal, placeholders, services };
