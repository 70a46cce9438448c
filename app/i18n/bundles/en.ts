import contact from '../../../locales/en/contact.json' with { type: 'json' };
import eligibility from '../../../locales/en/eligibility.json' with { type: 'json' };
import guide from '../../../locales/en/guide.json' with { type: 'json' };
import shell from '../../../locales/en/shell.json' with { type: 'json' };
import timeline from '../../../locales/en/timeline.json' with { type: 'json' };

/** The words of the pages that hydrate: all that a browser ever loads. */
export default { contact, eligibility, guide, shell, timeline };
