import eligibility from '../../../locales/fr/eligibility.json' with { type: 'json' };
import home from '../../../locales/fr/home.json' with { type: 'json' };
import shell from '../../../locales/fr/shell.json' with { type: 'json' };

export default { eligibility, home, shell };
