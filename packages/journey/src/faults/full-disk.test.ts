import { spawnSync } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { bundle, manyVulnerabilities } from '@riskboard/worker/testing/stix2';
import { expect, it, type TestContext, vi } from 'vitest';
import { enter, reportForm } from '../support/enter.ts';
import { startStandalone, untilReady } from '../support/standalone.ts';

const megabyte = 1024 ** 2;

/** A file system of its own in memory. Needs root; without it the test is skipped. */
async function smallDisk({ skip, onTestFinished }: TestContext, megabytes: number): Promise<string> {
  const folder = await mkdtemp(path.join(tmpdir(), 'riskboard-disk-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  const mounted = spawnSync('mount', ['-t', 'tmpfs', '-o', `size=${megabytes}m`, 'tmpfs', folder]);
  if (mounted.status !== 0) skip('this machine does not let the test mount a file system');
  onTestFinished(() => void spawnSync('umount', ['--lazy', folder]));
  return folder;
}

it('a disk that is nearly full refuses uploads with 507 and is named by readiness; a full one loses nothing', async (context) => {
  const disk = await smallDisk(context, 400);
  const DATA_DIR = path.join(disk, 'data');
  const fill = (name: string, megabytes: number) =>
    writeFile(path.join(disk, name), Buffer.alloc(megabytes * megabyte)).catch((error: Error) => error);
  const origin = await startStandalone({ DATA_DIR });
  const call = await enter(origin, 'signup', 'ada@example.org');
  const upload = async (name: string) => {
    const answer = await call('/reports/upload', reportForm(name, bundle(manyVulnerabilities(50))));
    return { status: answer.status, ...((await answer.json()) as { code?: string; message?: string }) };
  };
  const done = () => call('/jobs?state=succeeded').then((answer) => answer.json());
  expect(await upload('first.json')).toMatchObject({ status: 201 });
  await vi.waitFor(async () => expect(await done()).toMatchObject({ total: 1 }), { timeout: 30_000 });

  // Less than what is reserved for the database is left.
  await fill('other', 280);
  expect(await upload('second.json')).toMatchObject({
    status: 507,
    code: 'disk_full',
    message: expect.stringMatching(/^Disk full/u),
  });
  // A check is shared for a second: the one before the disk was filled may still count.
  await vi.waitFor(
    async () => {
      const ready = await fetch(`${origin}/api/health/ready`);
      expect([ready.status, await ready.json()]).toMatchObject([
        503,
        { details: [{ path: 'disk', message: 'disk full' }] },
      ]);
    },
    { interval: 200 },
  );
  expect(await done()).toMatchObject({ total: 1 });

  // Nothing is left; the database may stop.
  expect(await fill('rest', 200)).toMatchObject({ code: 'ENOSPC' });
  expect((await upload('third.json')).status).toBe(507);

  await Promise.all(['other', 'rest'].map((name) => rm(path.join(disk, name))));
  await untilReady(origin);
  expect(await upload('second.json')).toMatchObject({ status: 201 });
  await vi.waitFor(async () => expect(await done()).toMatchObject({ total: 2 }), { timeout: 30_000 });
});
