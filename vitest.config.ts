import { globSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';
import { waitMs } from './packages/testing/src/wait-ms.ts';

// Node keeps what it compiled: a process of the product then starts in half the CPU time.
process.env['NODE_COMPILE_CACHE'] ??= join(tmpdir(), 'riskboard-compile-cache');

const packages = [
  'backup',
  'bench',
  'cli',
  'contract',
  'csv',
  'cvss',
  'cwe',
  'db',
  'domain',
  'embedded',
  'json',
  'operation',
  'queue',
  'testing',
  'webhooks',
] as const;

const waitLonger = join(import.meta.dirname, 'packages/testing/src/wait-longer.ts');

/** Test files that mock modules. A mock has no effect on a module that an earlier file of the process has loaded. */
const filesWithMocks = (root: string): string[] =>
  globSync('**/*.test.ts', { cwd: root, exclude: (name) => name.endsWith('node_modules') }).filter((file) =>
    readFileSync(join(root, file), 'utf8').includes('vi.mock('),
  );

/**
 * Test files of a project share one process and its modules, so that each module is loaded once per process instead of
 * once per file. A test file must therefore undo what it changes in the process (environment variables, globals, timers)
 * and close what it opens. Files that mock modules have a project of their own with a process for each file.
 */
function node(name: string, root: string) {
  const isolated = filesWithMocks(root);
  const test = { root, environment: 'node' as const };
  const shared = {
    extends: true as const,
    test: {
      ...test,
      name,
      include: ['**/*.test.ts'],
      exclude: ['**/node_modules/**', ...isolated],
      isolate: false,
    },
  };
  if (isolated.length === 0) return [shared];
  const mocks = { extends: true as const, test: { ...test, name: `${name}-mocks`, include: isolated } };
  return [shared, mocks];
}

/** Files of several minutes: started last, one of them would run alone at the end. */
const longest = ['/record-pages/', '/matrix/', '/accessibility.test.ts'];

class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const rank = ({ moduleId }: TestSpecification): number => {
      const at = longest.findIndex((part) => moduleId.includes(part));
      return at === -1 ? longest.length : at;
    };
    // oxlint-disable-next-line unicorn/no-array-sort -- the method of the class, not of an array
    return (await super.sort(files)).toSorted((one, other) => rank(one) - rank(other));
  }
}

/** web/vitest.config.ts sets the environment; web/vite.config.ts is not loaded, because its router plugin writes files. */
const web = {
  extends: './web/vitest.config.ts',
  test: {
    name: 'web',
    root: 'web',
    maxWorkers: 2,
    setupFiles: [waitLonger],
    testTimeout: 60_000,
    expect: { poll: { timeout: waitMs } },
  },
};

/** Whole-product tests start real processes and a browser, so they run after all others. */
const journey = {
  extends: true as const,
  test: {
    name: 'journey',
    root: 'packages/journey',
    include: ['src/**/*.test.ts'],
    exclude: ['src/{faults,hostile,soak,seeded-errors}/**'],
    isolate: false,
    testTimeout: 120_000,
    hookTimeout: 120_000,
    sequence: { groupOrder: 1 },
  },
};

/** Whole-product tests without a browser, which mostly wait. */
const faults = {
  ...journey,
  test: {
    ...journey.test,
    name: 'faults',
    include: ['src/{faults,hostile,soak,seeded-errors}/**/*.test.ts'],
    exclude: [],
  },
};

export default defineConfig({
  test: {
    projects: [
      ...packages.flatMap((name) => node(name, `packages/${name}`)),
      ...node('migrations', 'migrations'),
      ...node('api', 'api'),
      ...node('worker', 'worker'),
      web,
      faults,
      journey,
    ],
    globalSetup: ['./packages/testing/src/services/global-setup.ts'],
    setupFiles: [waitLonger],
    pool: 'forks',
    // Two cores, which the database shares.
    maxWorkers: 2,
    // Concurrent tests of a file mostly wait.
    maxConcurrency: 4,
    sequence: { sequencer: LongestFirst },
    // Ends a test that hangs. A loaded machine is several times slower than a quiet one.
    testTimeout: 60_000,
    hookTimeout: 120_000,
    expect: { poll: { timeout: waitMs } },
    teardownTimeout: 30_000,
    passWithNoTests: true,
  },
});
