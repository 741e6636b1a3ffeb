import { afterEach, expect, it, vi } from 'vitest';
import { printerTo } from './print.ts';

afterEach(() => vi.unstubAllEnvs());

function written(isTTY: boolean): string {
  let text = '';
  const output = { isTTY, write: (part: string) => ((text += part), true) };
  const print = printerTo(output, 'supervisor');
  print('Address  http://localhost:3000');
  print('Stopping…', 'info');
  print('worker ended (SIGKILL)', 'warn');
  print('backup failed', 'error');
  return text;
}

const levelsWith = (least: string): number[] => {
  vi.stubEnv('LOG_LEVEL', least);
  return written(false)
    .trim()
    .split('\n')
    .map((line) => (JSON.parse(line) as { level: number }).level);
};

it('lines of the supervisor have a level, and LOG_LEVEL chooses the least one except for the address', () => {
  expect(levelsWith('')).toEqual([30, 30, 40, 50]);
  expect(levelsWith('warn')).toEqual([30, 40, 50]);
  expect(levelsWith('silent')).toEqual([30]);
});

it('a terminal shows them all', () => {
  vi.stubEnv('LOG_LEVEL', 'silent');
  expect(written(true).split('\n')).toHaveLength(5);
});

it('a terminal gets no control characters', () => {
  let text = '';
  const print = printerTo({ isTTY: true, write: (part: string) => (text += part) }, 'supervisor');
  print('backup of \u001B[2J\u202Ename\nfailed');
  expect(text).toBe(`${String.raw`backup of \u{1b}[2J\u{202e}name`}\nfailed\n`);
});
