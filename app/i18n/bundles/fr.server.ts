import about from '../../../locales/fr/about.json' with { type: 'json' };
import contact from '../../../locales/fr/contact.json' with { type: 'json' };
import eligibility from '../../../locales/fr/eligibility.json' with { type: 'json' };
import guide from '../../../locales/fr/guide.json' with { type: 'json' };
import home from '../../../locales/fr/home.json' with { type: 'json' };
import landing from '../../../locales/fr/landing.json' with { type: 'json' };
import legal from '../../../locales/fr/legal.json' with { type: 'json' };
import placeholders from '../../../locales/fr/placeholders.json' with { type: 'json' };
import services from '../../../locales/fr/services.json' with { type: 'json' };
import shell from '../../../locales/fr/shell.json' with { type: 'json' };
import timeline from '../../../locales/fr/timeline.json' with { type: 'json' };

export default {
  about,
  contact,
  eligibility,
  guide,
  home,
  landing,
  legal,
  placeholders,
  services,
  shell,
  timeline,
};
