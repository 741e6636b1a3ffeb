import tailwindcss from '@tailwindcss/vite';
import { tanstackRouter } from '@tanstack/router-plugin/vite';
import react from '@vitejs/plugin-react';
import { defineConfig, mergeConfig, type Plugin, type Rolldown, type UserConfig } from 'vite';
import { idleParts } from './idle-parts.ts';
import { initialSize } from './initial-size.ts';
import { pageFiles } from './page-files.ts';
import { precompress } from './precompress.ts';
import { preloadFont } from './preload-font.ts';
import { sharedChunks } from './shared-chunks.ts';

/** `pnpm dev` passes its own configuration on. */
const api = `http://127.0.0.1:${process.env['PORT'] || 3000}`;

/** The modules of index.html in one chunk, so that no page's chunk becomes part of what the login loads. */
const initial = { name: 'initial', tags: ['$initial' as const], priority: 3 };

const common = {
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
  ],
  // A data: font would break the policy `font-src 'self'`.
  build: {
    assetsInlineLimit: 0,
    target: 'es2024',
    rolldownOptions: {
      treeshake: { propertyReadSideEffects: false, unknownGlobalSideEffects: false },
    },
  },
} satisfies UserConfig;

/** Build options with these groups of modules, which become files. */
const grouped = (groups: readonly Rolldown.CodeSplittingGroup[]): UserConfig => ({
  build: { rolldownOptions: { output: { codeSplitting: { groups: [...groups] } } } },
});

/** Plans the shared files from a first build, when Vite builds: tools that only read this configuration do not wait for it. */
const plannedFiles: Plugin = {
  name: 'planned-files',
  apply: 'build',
  async config() {
    const name = await sharedChunks(mergeConfig(common, grouped([initial])), {
      first: 23,
      complete: 24,
      most: 252_400,
      idle: idleParts,
    });
    const shared = { name, priority: 1, includeDependenciesRecursively: false };
    return grouped([initial, shared]);
  },
};

export default defineConfig({
  ...common,
  plugins: [
    ...common.plugins,
    plannedFiles,
    preloadFont(),
    initialSize({ entry: 170_000, page: 250_000 }),
    pageFiles({ most: 29 }),
    precompress(),
  ],
  server: { host: '127.0.0.1', proxy: { '/api': { target: api, ws: true } } },
});
