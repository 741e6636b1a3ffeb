import { defineConfig } from 'vitest/config';

const packages = ['bench', 'contract', 'cvss', 'db', 'domain', 'embedded', 'queue', 'testing'] as const;

const node = (name: string, root: string) => ({
  extends: true as const,
  test: { name, root, include: ['**/*.test.ts'], environment: 'node' },
});

/** The web says itself what a document is; its bundling configuration, whose router plugin writes files, stays out. */
const web = {
  extends: './web/vitest.config.ts',
  test: { name: 'web', root: 'web', testTimeout: 20_000 },
};

/** Whole-product tests: real processes and one browser, so one file at a time. */
const journey = {
  extends: true as const,
  test: {
    name: 'journey',
    root: 'packages/journey',
    include: ['src/**/*.test.ts'],
    fileParallelism: false,
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
    globalSetup: ['./packages/testing/src/global-setup.ts'],
    pool: 'forks',
    // Two cores, and the database beside them.
    maxWorkers: 2,
    testTimeout: 20_000,
    hookTimeout: 60_000,
    teardownTimeout: 30_000,
    passWithNoTests: true,
  },
});
