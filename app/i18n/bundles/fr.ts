import contact from '../../../locales/fr/contact.json' with { type: 'json' };
import eligibility from '../../../locales/fr/eligibility.json' with { type: 'json' };
import guide from '../../../locales/fr/guide.json' with { type: 'json' };
import shell from '../../../locales/fr/shell.json' with { type: 'json' };
import timeline from '../../../locales/fr/timeline.json' with { type: 'json' };

/** The words of the pages that hydrate: all that a browser ever loads. */
export default { contact, eligibility, guide, shell, timeline };
