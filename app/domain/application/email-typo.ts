import { closestWord } from '../closest-word';

const DOMAINS: readonly string[] = [
  ...['gmail.com', 'googlemail.com', 'ymail.com', 'mail.com', 'email.com', 'fastmail.com'],
  ...['hotmail.com', 'hotmail.fr', 'hotmail.de', 'hotmail.co.uk', 'hotmail.it', 'hotmail.es'],
  ...['outlook.com', 'outlook.fr', 'outlook.de', 'msn.com', 'passport.com'],
  ...['live.com', 'live.fr', 'live.de', 'live.co.uk', 'live.be', 'live.nl'],
  ...['yahoo.com', 'yahoo.fr', 'yahoo.de', 'yahoo.co.uk', 'yahoo.it', 'yahoo.es', 'yahoo.co.jp'],
  ...['icloud.com', 'me.com', 'mac.com', 'aol.com', 'aol.de', 'aol.fr'],
  ...['proton.me', 'pm.me', 'protonmail.com', 'posteo.de', 'posteo.net', 'mailbox.org'],
  ...['gmx.de', 'gmx.net', 'gmx.at', 'gmx.ch', 'gmx.li', 'gmx.fr', 'gmx.com', 'gmx.eu'],
  ...['web.de', 't-online.de', 'freenet.de', 'mail.de', 'arcor.de', 'vodafone.de'],
  ...['bluewin.ch', 'sunrise.ch', 'aon.at', 'chello.at', 'a1.net'],
  ...['orange.fr', 'wanadoo.fr', 'free.fr', 'sfr.fr', 'laposte.net', 'bbox.fr', 'neuf.fr'],
  ...['skynet.be', 'telenet.be', 'proximus.be', 'ziggo.nl', 'hetnet.nl', 'libero.it'],
  ...['btinternet.com', 'sky.com', 'virginmedia.com', 'naver.com'],
];

/** In domains as short as `web.de`, two other letters make another real domain. */
const SHORT = 9;

/** What was found lately: to look for it anew on each page costs as much as a tenth of the page. */
const found = new Map<string, string | undefined>();
const MOST_FOUND = 500;

function meantDomain(domain: string): string | undefined {
  if (!found.has(domain)) {
    if (found.size >= MOST_FOUND) found.clear();
    found.set(domain, closestWord(domain, DOMAINS, domain.length < SHORT ? 1 : 2));
  }
  return found.get(domain);
}

export function meantEmail(email: string): string | undefined {
  const at = email.lastIndexOf('@') + 1;
  const domain = email.slice(at).toLowerCase();
  if (at === 0 || DOMAINS.includes(domain)) return undefined;
  const meant = meantDomain(domain);
  return meant === undefined ? undefined : email.slice(0, at) + meant;
}
