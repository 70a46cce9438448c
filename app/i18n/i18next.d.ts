import type { Resources } from './bundles.server';

declare module 'i18next' {
  interface CustomTypeOptions {
    defaultNS: 'shell';
    resources: Resources;
    returnNull: false;
  }
}
