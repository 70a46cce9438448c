/** Remix as its template builds it; `tests/load/baselines.ts` puts it beside a copy of the app. */
import { vitePlugin as remix } from '@remix-run/dev';
import tailwindcss from '@tailwindcss/vite';
import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vite';

export default defineConfig({
  plugins: [tailwindcss(), remix({ future: { v3_routeConfig: true } })],
  // entry.client awaits its words.
  build: { target: 'es2022' },
  resolve: { alias: { '~': fileURLToPath(new URL('./app', import.meta.url)) } },
});
