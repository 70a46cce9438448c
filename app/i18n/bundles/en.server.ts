import about from '../../../locales/en/about.json' with { type: 'json' };
import contact from '../../../locales/en/contact.json' with { type: 'json' };
import eligibility from '../../../locales/en/eligibility.json' with { type: 'json' };
import guide from '../../../locales/en/guide.json' with { type: 'json' };
import home from '../../../locales/en/home.json' with { type: 'json' };
import landing from '../../../locales/en/landing.json' with { type: 'json' };
import legal from '../../../locales/en/legal.json' with { type: 'json' };
import placeholders from '../../../locales/en/placeholders.json' with { type: 'json' };
import services from '../../../locales/en/services.json' with { type: 'json' };
import shell from '../../../locales/en/shell.json' with { type: 'json' };
import timeline from '../../../locales/en/timeline.json' with { type: 'json' };

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
