import eligibility from '../../../locales/en/eligibility.json';
import home from '../../../locales/en/home.json';
import shell from '../../../locales/en/shell.json';

export default { eligibility, home, shell };
