import about from '../../../locales/fr/about.json' with { type: 'json' };
import home from '../../../locales/fr/home.json' with { type: 'json' };
import landing from '../../../locales/fr/landing.json' with { type: 'json' };
import legal from '../../../locales/fr/legal.json' with { type: 'json' };
import placeholders from '../../../locales/fr/placeholders.json' with { type: 'json' };
import services from '../../../locales/fr/services.json' with { type: 'json' };
import hydrated from './fr';

export default { ...hydrated, about, home, landing, legal, placeholders, services };
