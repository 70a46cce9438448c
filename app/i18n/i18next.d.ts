import type fr from './bundles/fr.server';

declare module 'i18next' {
  interface CustomTypeOptions {
    defaultNS: 'shell';
    resources: typeof fr;
    returnNull: false;
  }
}
