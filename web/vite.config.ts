import tailwindcss from '@tailwindcss/vite';
import { tanstackRouter } from '@tanstack/router-plugin/vite';
import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';
import { initialSize } from './initial-size.ts';
import { pageFiles } from './page-files.ts';
import { precompress } from './precompress.ts';

/** `pnpm dev` passes its own configuration on. */
const api = `http://127.0.0.1:${process.env['PORT'] || 3000}`;

/** The modules of index.html in one chunk, so that no page's chunk becomes part of what the login loads. */
const initial = { name: 'initial', tags: ['$initial' as const] };

/** What most pages share in one chunk: measured 14 kB and 20 requests less a page than one chunk for each module. */
const kit = { name: 'kit', test: /node_modules|\/src\/(?:ui|lib)\//u, minShareCount: 12 };

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
    rolldownOptions: { output: { codeSplitting: { groups: [initial, kit] } } },
  },
});
