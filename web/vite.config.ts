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
const initial = { name: 'initial', tags: ['$initial' as const], priority: 3 };

/**
 * What the login shares with the pages behind it: with `kit` alone, the login loads the popups and lists too (decision
 * 18).
 */
const form = {
  name: 'form',
  test: /ui\/input\/input\.tsx$|feedback\/notice\.tsx$|session\/use-session-change\.ts$|layout\/mark\.tsx$|button\/link-style\.ts$|\/useMutation\.js$|\/useLocation\.js$/u,
  priority: 2,
};

/** What most pages share. One chunk for each module takes 18 kB and 54 requests more on the vulnerabilities list (decision 18). */
const kit = {
  name: 'kit',
  // No list needs dialogs, progress bars, radio buttons, selects, the states of a single record and changes of records
  // when it opens.
  test: /^(?!.*\/(?:(?:dialog|alert-dialog|progress|radio|radio-group)\/|progress-bar|record-status|load-failed|itemEquality|resolveValueLabel|areArraysEqual|useOnFirstRender|useFloatingRootContext|composite\/root|useAriaLabelledBy|entity\/(?:cache|preview|mutation-outcome))).*(?:node_modules|\/src\/(?:ui|lib)\/)/u,
  minShareCount: 19,
  priority: 1,
};

/** Icons of three pages or more: a chunk for each takes 2 kB more on a list. */
const icons = { name: 'icons', test: /lucide-react\/dist\/esm\/icons\//u, minShareCount: 3, priority: 2 };

/** What only lists load: a chunk for each file takes 1 kB more. */
const list = {
  name: 'list',
  test: /ui\/list\/(?!define-list-source|list-notices|pager|selection-bar)|ui\/table\/(?:data-table|use-row|body-row|pending-row)|list-layout|@tanstack\/(?:table-core|react-table)/u,
  minShareCount: 7,
  priority: 2,
  // Other pages need the rest.
  includeDependenciesRecursively: false,
};

/** State that pages share with the shell: a chunk for each file takes 0.3 kB more on a list. */
const state = {
  name: 'state',
  test: /features\/.*-state\.ts$|hooks\/use-last\.ts$|side-pane-host\.tsx$/u,
  minShareCount: 2,
  priority: 2,
};

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
    rolldownOptions: {
      treeshake: { propertyReadSideEffects: false, unknownGlobalSideEffects: false },
      output: { codeSplitting: { groups: [initial, form, icons, state, list, kit] } },
    },
  },
});
