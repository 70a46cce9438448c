import eligibility from '../../../locales/fr/eligibility.json';
import home from '../../../locales/fr/home.json';
import shell from '../../../locales/fr/shell.json';

export default { eligibility, home, shell };
