import tailwindcss from '@tailwindcss/vite';
import { tanstackRouter } from '@tanstack/router-plugin/vite';
import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';
import { initialSize } from './initial-size.ts';
import { pageFiles } from './page-files.ts';
import { precompress } from './precompress.ts';

/** `pnpm dev` passes its own configuration on. */
const api = `http://127.0.0.1:${process.env['PORT'] || 3000}`;

/**
 * What most of the pages need comes in one piece: in dozens of small ones it compresses worse (measured: 6 kB a page).
 * Fewer pages than this, and the login would wait for what only the pages behind it need.
 */
const shared = {
  name: 'shared',
  test: (id: string) => /node_modules|\/src\/(?:ui|lib)\//u.test(id),
  minShareCount: 24,
};

/** An icon is some 150 bytes, and a request each costs more than a few that a page does not show. */
const icons = { name: 'icons', test: /\/lucide-react\//u, minShareCount: 2 };

export default defineConfig({
  plugins: [
    tanstackRouter({
      target: 'react',
      autoCodeSplitting: true,
      quoteStyle: 'single',
      semicolons: true,
      routeFileIgnorePattern: '\\.test\\.',
    }),
    react(),
    tailwindcss(),
    initialSize({ entry: 170_000, page: 250_000 }),
    pageFiles(),
    precompress(),
  ],
  server: { host: '127.0.0.1', proxy: { '/api': { target: api, ws: true } } },
  // A data: font would break the policy `font-src 'self'`.
  build: {
    assetsInlineLimit: 0,
    target: 'es2024',
    rolldownOptions: { output: { codeSplitting: { groups: [shared, icons] } } },
  },
});
