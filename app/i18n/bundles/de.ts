import eligibility from '../../../locales/de/eligibility.json' with { type: 'json' };
import home from '../../../locales/de/home.json' with { type: 'json' };
import shell from '../../../locales/de/shell.json' with { type: 'json' };

export default { eligibility, home, shell };
