import { defineConfig } from 'vitest/config';

const packages = ['bench', 'contract', 'cvss', 'db', 'domain', 'embedded', 'queue', 'testing'] as const;

/**
 * Test files of a project share one process and its modules, so that each module is loaded once per process instead of
 * once per file. A test file must therefore undo what it changes in the process (environment variables, globals, timers)
 * and close what it opens.
 */
const node = (name: string, root: string) => ({
  extends: true as const,
  test: { name, root, include: ['**/*.test.ts'], environment: 'node', isolate: false },
});

/** web/vitest.config.ts sets the environment; web/vite.config.ts is not loaded, because its router plugin writes files. */
const web = {
  extends: './web/vitest.config.ts',
  test: { name: 'web', root: 'web', testTimeout: 20_000 },
};

/** Whole-product tests start real processes and a browser, so their files run one at a time. */
const journey = {
  extends: true as const,
  test: {
    name: 'journey',
    root: 'packages/journey',
    include: ['src/**/*.test.ts'],
    fileParallelism: false,
    isolate: false,
    testTimeout: 120_000,
    hookTimeout: 120_000,
    sequence: { groupOrder: 1 },
  },
};

export default defineConfig({
  test: {
    projects: [
      ...packages.map((name) => node(name, `packages/${name}`)),
      node('migrations', 'migrations'),
      node('api', 'api'),
      node('worker', 'worker'),
      web,
      journey,
    ],
    globalSetup: ['./packages/testing/src/services/global-setup.ts'],
    pool: 'forks',
    // Two cores, which the database shares.
    maxWorkers: 2,
    testTimeout: 20_000,
    hookTimeout: 60_000,
    teardownTimeout: 30_000,
    passWithNoTests: true,
  },
});
