import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { runCommandLine } from '../run.ts';

it('backup --schedule writes JSON log lines, also for a database that cannot be reached', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'riskboard-schedule-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  const stopped = new AbortController();
  const lines: unknown[] = [];
  const stdout = {
    write(text: string | Uint8Array) {
      lines.push(JSON.parse(String(text)));
      if (lines.length === 2) stopped.abort();
    },
  };
  await runCommandLine(['backup', '--schedule'], {
    stdout,
    stderr: { write: () => undefined },
    // Nothing listens on the port that is reserved for tcpmux (RFC 1078).
    environment: { DATABASE_URL: 'postgres://riskboard@127.0.0.1:1/riskboard', BACKUP_DIR: folder },
    folder,
    signal: stopped.signal,
  });
  expect(lines).toMatchObject([
    { level: 30, name: 'backup', msg: `Writing daily backups to ${folder} at 02:30 UTC, keeping 7.` },
    {
      level: 40,
      name: 'backup',
      msg: 'the schedule of backups could not be checked: The database cannot be reached: the database refuses connections',
    },
  ]);
});
