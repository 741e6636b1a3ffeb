import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { loadSecrets } from '../data/secrets.ts';
import { backupSource } from './backup-source.ts';
import { openServerDatabase } from './server-database.ts';

let DATA_DIR = '';
beforeEach(async () => {
  DATA_DIR = await mkdtemp(join(tmpdir(), 'riskboard-server-database-'));
});
afterEach(() => rm(DATA_DIR, { recursive: true, force: true }));

async function sourceWith(environment: Record<string, string>) {
  const address = 'postgres://owner@nowhere/riskboard';
  const settings = { DATABASE_URL: address, DATABASE_SYSTEM_URL: undefined, DATABASE_OWNER_URL: undefined };
  await using database = await openServerDatabase({ DATA_DIR, ...settings }, 'shared');
  return backupSource(database.addresses.ownerUrl, database.secrets, environment);
}

describe("a backup of a database of one's own", () => {
  it('has the secrets that npm start has generated, and not those that the environment sets', async () => {
    const { webhookKey } = await loadSecrets(DATA_DIR);
    const source = await sourceWith({ SESSION_SECRET: 's'.repeat(32) });
    expect(source.secrets).toEqual({ webhookKey });
    expect(Object.keys(source.fingerprints)).toEqual(['SESSION_SECRET', 'WEBHOOK_KEY']);
  });

  it('has no secrets without a data folder of npm start, or of one with another database', async () => {
    expect((await sourceWith({})).secrets).toEqual({});
    await loadSecrets(DATA_DIR);
    await mkdir(join(DATA_DIR, 'postgres'));
    const source = await sourceWith({});
    expect([source.secrets, source.fingerprints]).toEqual([{}, {}]);
  });
});
