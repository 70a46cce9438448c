import eligibility from '../../../locales/de/eligibility.json';
import home from '../../../locales/de/home.json';
import shell from '../../../locales/de/shell.json';

export default { eligibility, home, shell };
