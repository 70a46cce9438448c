import type { Bundle } from './bundles.server';

declare module 'i18next' {
  interface CustomTypeOptions {
    defaultNS: 'shell';
    resources: Bundle;
    returnNull: false;
  }
}
