import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { isAlive } from '@riskboard/embedded';
import { createTestDatabase, type TestDatabase } from '@riskboard/testing';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());

/** Starts a test run that starts a worker. */
async function startRun(): Promise<{ run: ChildProcess; worker: number }> {
  const program = `
    import { startChild } from ${JSON.stringify(new URL('child.ts', import.meta.url).href)};
    const worker = startChild('worker/src/main.ts', {
      DATABASE_URL: process.env.DATABASE_URL, SESSION_SECRET: 'a secret for an interrupted run of tests',
    });
    let log = '';
    worker.stdout.on('data', (text) => {
      log += text;
      if (log.includes('worker ready')) console.log(worker.pid);
    });`;
  const run = spawn(process.execPath, ['--input-type=module', '--eval', program], {
    env: { PATH: process.env['PATH'], DATABASE_URL: database.url },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const [worker] = (await once(createInterface({ input: run.stdout }), 'line')) as [string];
  return { run, worker: Number(worker) };
}

it.each(['SIGINT', 'SIGTERM', 'SIGKILL'] as const)(
  'processes of a test run end when %s ends the run',
  async (signal) => {
    const { run, worker } = await startRun();
    expect(isAlive(worker)).toBe(true);
    run.kill(signal);
    await once(run, 'exit');
    await vi.waitFor(() => expect(isAlive(worker)).toBe(false), { timeout: 30_000, interval: 50 });
  },
);
