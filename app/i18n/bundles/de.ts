import contact from '../../../locales/de/contact.json' with { type: 'json' };
import eligibility from '../../../locales/de/eligibility.json' with { type: 'json' };
import guide from '../../../locales/de/guide.json' with { type: 'json' };
import shell from '../../../locales/de/shell.json' with { type: 'json' };
import timeline from '../../../locales/de/timeline.json' with { type: 'json' };

/** The words of the pages that hydrate: all that a browser ever loads. */
export default { contact, eligibility, guide, shell, timeline };
