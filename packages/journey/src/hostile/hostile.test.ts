import path from 'node:path';
import { referenceData } from '@riskboard/testing';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Product, startProduct } from '../support/product.ts';
import { type Client, signUp } from './client.ts';
import { feed, type Row, table } from './feed.ts';
import { leftovers } from './leftovers.ts';
import { brokenFiles, changedReports, folder, type Suite } from './suites.ts';

/**
 * HOSTILE_FOLDERS=/path/one:/path/two sends every file of these folders too, HOSTILE_CASES=5000 changes so many reports.
 */
const cases = Number(process.env['HOSTILE_CASES'] ?? 20);
const seed = Number(process.env['HOSTILE_SEED'] ?? 20_261_123);
const folders = (process.env['HOSTILE_FOLDERS'] ?? '').split(path.delimiter).filter(Boolean);

/** Invalid reports of others; they are not part of the repository. */
const shared = referenceData('stix');
const sharedSuite: Suite[] = shared === undefined ? [] : [folder(path.join(shared, 'invalid'))];

const suites: readonly Suite[] = [
  brokenFiles,
  changedReports(cases, seed),
  ...folders.map(folder),
  ...sharedSuite,
];

let product: Product;
let client: Client;
const rows: Row[] = [];

beforeAll(async () => {
  product = await startProduct();
  client = await signUp(product.origins[0] ?? '');
});
afterAll(async () => {
  if (rows.length > 0) process.stdout.write(`\nHostile input, seed ${seed}\n${table(rows)}\n`);
  await product?.stop();
});

it.each(suites.map((suite) => [suite.name, suite] as const))(
  '%s get a clear refusal or are accepted, in every upload and every text field',
  { timeout: 3_600_000 },
  async (_name, suite) => {
    const fed = await feed(client, suite);
    rows.push(...fed.rows);
    expect(fed.findings).toEqual([]);
    expect(fed.rows.reduce((sum, row) => sum + row.cases, 0)).toBeGreaterThan(0);
  },
);

it('nothing half-done is stored after them, and no process ended', async () => {
  expect(await leftovers(product.database.adminUrl)).toEqual({
    'contents without a file': 0,
    'chunks without a content': 0,
    'jobs that have not ended': 0,
  });
  expect(product.log()).not.toMatch(/uncaughtException|out of memory|FATAL/u);
  const ready = await fetch(`${product.origins[0]}/api/health/ready`);
  expect(ready.status).toBe(200);
});
