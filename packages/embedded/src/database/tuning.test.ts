import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir, totalmem } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import {
  availableMemory,
  neededConnections,
  operatorSettings,
  settingsFor,
  tunedSettings,
} from './tuning.ts';

const GiB = 1024 ** 3;

let folder = '';
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'riskboard-tuning-'));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

const fileWith = async (name: string, text: string): Promise<string> => {
  const path = join(folder, name);
  await writeFile(path, text);
  return path;
};

describe('the settings of the embedded PostgreSQL', () => {
  it.each([
    [0.25, '64MB', '128MB', '4MB', '32MB'],
    [1, '128MB', '512MB', '4MB', '32MB'],
    [4, '512MB', '2048MB', '4MB', '128MB'],
    [24, '1024MB', '12288MB', '24MB', '512MB'],
    [256, '1024MB', '65536MB', '32MB', '512MB'],
  ])('on %s GiB', (gib, shared, cache, work, maintenance) => {
    expect(tunedSettings(gib * GiB)).toMatchObject({
      shared_buffers: shared,
      effective_cache_size: cache,
      work_mem: work,
      maintenance_work_mem: maintenance,
    });
  });

  it.each([
    [1, 2, 200],
    [0, 64, 200],
    [8, 2, 236],
    [16, 8, 716],
  ])(
    '%s workers of %s jobs have the connections of all their pools',
    async (WORKERS, WORKER_CONCURRENCY, needed) => {
      const connections = neededConnections({ WORKERS, WORKER_CONCURRENCY });
      expect(connections).toBe(needed);
      expect(await settingsFor(folder, connections)).toMatchObject({ max_connections: String(needed) });
    },
  );

  it('never weaken durability', () => {
    const names = Object.keys(tunedSettings(4 * GiB));
    for (const name of ['fsync', 'synchronous_commit', 'full_page_writes', 'wal_sync_method'])
      expect(names).not.toContain(name);
  });

  it('leave out what the operator has set with ALTER SYSTEM', async () => {
    await fileWith('postgresql.auto.conf', "# Do not edit\nwork_mem = '9MB'\n#random_page_cost = '4'\n");
    expect(await operatorSettings(folder)).toEqual(new Set(['work_mem']));
    const settings = await settingsFor(folder);
    expect(settings).not.toHaveProperty('work_mem');
    expect(settings).toMatchObject({ random_page_cost: '1.1' });
  });
});

describe('the memory that may be used', () => {
  it('is that of the machine without a limit', async () => {
    const unlimited = await fileWith('memory.max', 'max\n');
    expect(await availableMemory([unlimited, join(folder, 'missing')])).toBe(totalmem());
  });

  it('is the limit of the control group where it is less', async () => {
    const limited = await fileWith('memory.max', `${256 * 1024 ** 2}\n`);
    expect(await availableMemory([limited])).toBe(256 * 1024 ** 2);
  });

  it('is not more than the machine has', async () => {
    const huge = await fileWith('memory.limit_in_bytes', '9223372036854771712\n');
    expect(await availableMemory([huge])).toBe(totalmem());
  });
});
