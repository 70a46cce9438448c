import eligibility from '../../../locales/en/eligibility.json' with { type: 'json' };
import home from '../../../locales/en/home.json' with { type: 'json' };
import shell from '../../../locales/en/shell.json' with { type: 'json' };

export default { eligibility, home, shell };
