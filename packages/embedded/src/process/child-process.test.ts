import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { startProgram } from './child-process.ts';
import { isAlive } from './end-process.ts';

let folder = '';

/** Prints its process id, drains on SIGTERM, and prints that. */
const draining = `
  const work = setInterval(() => {}, 1000);
  process.once('SIGTERM', () => { clearInterval(work); console.log('drained'); });
  console.log(process.pid);
`;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'riskboard-child-'));
  await writeFile(join(folder, 'draining.mjs'), draining);
  await writeFile(join(folder, 'done.mjs'), 'console.log("done")');
});
afterAll(() => rm(folder, { recursive: true, force: true }));

async function start(file: string) {
  const lines: string[] = [];
  const onLine = (line: string): void => void lines.push(line);
  const program = {
    name: 'p',
    arguments: [join(folder, file)],
    cwd: folder,
    environment: process.env,
    onLine,
  };
  return { running: await startProgram(program), lines };
}

describe('startProgram', () => {
  it('stop lets the program drain', async () => {
    const { running, lines } = await start('draining.mjs');
    await vi.waitFor(() => expect(lines).toHaveLength(1));
    await running.stop();
    expect(await running.exited).toEqual({ code: 0, reason: 'exit code 0' });
    await vi.waitFor(() => expect(lines[1]).toBe('drained'));
  });

  it('a program that has nothing more to do exits', async () => {
    const { running } = await start('done.mjs');
    expect(await running.exited).toEqual({ code: 0, reason: 'exit code 0' });
  });

  it('the program ends when its supervisor is killed', async () => {
    const supervisor = `
      import { startProgram } from ${JSON.stringify(new URL('child-process.ts', import.meta.url).href)};
      await startProgram({
        name: 'p', arguments: [${JSON.stringify(join(folder, 'draining.mjs'))}], cwd: '/',
        environment: process.env, onLine: console.log,
      });
    `;
    const parent = spawn(process.execPath, ['--input-type=module', '--eval', supervisor], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const [line] = (await once(createInterface({ input: parent.stdout }), 'line')) as [string];
    const pid = Number(line);
    expect(isAlive(pid)).toBe(true);
    parent.kill('SIGKILL');
    await vi.waitFor(() => expect(isAlive(pid)).toBe(false));
  });
});
