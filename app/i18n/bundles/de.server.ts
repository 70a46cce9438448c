import about from '../../../locales/de/about.json' with { type: 'json' };
import contact from '../../../locales/de/contact.json' with { type: 'json' };
import eligibility from '../../../locales/de/eligibility.json' with { type: 'json' };
import guide from '../../../locales/de/guide.json' with { type: 'json' };
import home from '../../../locales/de/home.json' with { type: 'json' };
import landing from '../../../locales/de/landing.json' with { type: 'json' };
import legal from '../../../locales/de/legal.json' with { type: 'json' };
import placeholders from '../../../locales/de/placeholders.json' with { type: 'json' };
import services from '../../../locales/de/services.json' with { type: 'json' };
import shell from '../../../locales/de/shell.json' with { type: 'json' };
import timeline from '../../../locales/de/timeline.json' with { type: 'json' };

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
