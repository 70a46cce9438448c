/** The pages that the navigation leads to, by their names in the locales (specification, section 2). */
export const MAIN_NAVIGATION = [
  { name: 'home', href: '/' },
  { name: 'howItWorks', href: '/how-it-works' },
  { name: 'services', href: '/services' },
  { name: 'about', href: '/about' },
  { name: 'faq', href: '/faq' },
  { name: 'contact', href: '/contact' },
] as const;

export const FOOTER_NAVIGATION = [
  { name: 'home', href: '/' },
  { name: 'guide', href: '/application-guide' },
  { name: 'timeline', href: '/timeline' },
  { name: 'about', href: '/about' },
  { name: 'contact', href: '/contact' },
  { name: 'faq', href: '/faq' },
] as const;

export const LEGAL_NAVIGATION = [
  { name: 'privacy', href: '/privacy' },
  { name: 'terms', href: '/terms' },
  { name: 'conditions', href: '/conditions' },
  { name: 'legalNotice', href: '/mentions-legales' },
  { name: 'accessibility', href: '/accessibility' },
] as const;
