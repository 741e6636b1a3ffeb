import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { openServerDatabase } from '@riskboard/embedded';
import { withClient } from '@riskboard/testing';
import { bundle, manyVulnerabilities } from '@riskboard/worker/testing/stix2';
import { expect, it, onTestFinished, vi } from 'vitest';
import { startChild } from '../support/child.ts';
import { type Call, enter, reportForm } from '../support/enter.ts';
import { startProduct } from '../support/product.ts';
import { startStandalone } from '../support/standalone.ts';

const email = 'ada@example.org';
const secrets = {
  SESSION_SECRET: 'a secret for one journey of the tests',
  WEBHOOK_KEY: 'a key for the webhooks of one journey',
};

/** Runs one command of the command line in its own process. */
async function riskboard(given: readonly string[], env: Record<string, string>): Promise<string> {
  const child = startChild('packages/cli/src/main.ts', { ...secrets, ...env }, given);
  if (!child.stdout || !child.stderr) throw new Error('The output of the command is not a pipe.');
  const [stdout, stderr] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'close')]);
  expect({ code: child.exitCode, stderr }).toEqual({ code: 0, stderr: '' });
  return stdout;
}

/** Totals of the lists, and the SHA-256 of the first file's bytes. */
async function visible(call: Call): Promise<Record<string, unknown>> {
  const found: Record<string, unknown> = {};
  for (const list of [
    'vulnerabilities',
    'threats',
    'assets',
    'projects',
    'reports/files',
    'jobs?kind=stix.parse',
  ])
    found[list] = ((await (await call(`/${list}`)).json()) as { total: number }).total;
  const { files } = (await (await call('/reports/files')).json()) as { files: { _id: string }[] };
  const raw = await (await call(`/reports/files/${files[0]?._id}/raw`)).arrayBuffer();
  return { ...found, sha256: createHash('sha256').update(Buffer.from(raw)).digest('hex') };
}

/** Number of rows of each table, as the role sees them that writes backups. */
const countRows = (url: string): Promise<Record<string, number>> =>
  withClient(url, async (client) => {
    await client.query('set role riskboard_backup');
    const { rows } = await client.query<{ name: string }>(
      `select relname as name from pg_class
       where relkind = 'r' and relnamespace = 'public'::regnamespace and relname not like 'kysely%' order by 1`,
    );
    const counts: Record<string, number> = {};
    for (const { name } of rows) {
      const { rows: found } = await client.query<{ n: number }>(`select count(*)::int as n from ${name}`);
      counts[name] = found[0]?.n ?? -1;
    }
    return counts;
  });

it('a backup of a lost server restores a working product on a new one, with every row and the bytes of a report', async () => {
  const folder = await mkdtemp(path.join(tmpdir(), 'riskboard-restore-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  const file = path.join(folder, 'all.backup');
  const bytes = bundle(manyVulnerabilities(300));

  const lost = await startProduct();
  const before = await enter(lost.origins[0] ?? '', 'signup', email);
  await before('/reports/upload?extract=vulnerabilities', reportForm('many.json', bytes));
  await vi.waitFor(
    async () =>
      expect(await (await before('/jobs?state=queued&state=running')).json()).toMatchObject({ total: 0 }),
    { timeout: 60_000, interval: 200 },
  );
  const seen = await visible(before);
  expect(seen).toMatchObject({
    vulnerabilities: 300,
    sha256: createHash('sha256').update(bytes).digest('hex'),
  });
  const written = await riskboard(['backup', file, '--json'], { DATABASE_URL: lost.database.url });
  const counts = await countRows(lost.database.url);
  expect(JSON.parse(written)).toMatchObject({ tables: Object.keys(counts).length });
  // Its processes end and its database is dropped.
  await lost.stop();

  // A new server: another PostgreSQL, without the product's roles.
  const DATA_DIR = path.join(folder, 'data');
  await riskboard(['restore', file], { DATA_DIR });
  {
    await using server = await openServerDatabase(
      { DATA_DIR, DATABASE_URL: undefined, DATABASE_SYSTEM_URL: undefined, DATABASE_OWNER_URL: undefined },
      'shared',
    );
    // A recomputation moves rows of the overview at its own time, also after the backup.
    const stable = (all: Record<string, number>) =>
      Object.entries(all).filter(([name]) => !name.startsWith('overview_'));
    expect(stable(await countRows(server.addresses.ownerUrl))).toEqual(stable(counts));
  }
  const origin = await startStandalone({ ...secrets, DATA_DIR });
  expect(await visible(await enter(origin, 'login', email))).toEqual(seen);
});
