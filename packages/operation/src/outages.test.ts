import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { isConnectionError, watchOutages } from './outages.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const refused = (): Error => Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED' });

function harness() {
  const away = new Set<string>();
  const lines: string[] = [];
  const fields: object[] = [];
  const dependency = (name: string) => ({
    name,
    probe: async () => {
      if (away.has(name)) throw new Error(`no connection to ${name}`);
    },
  });
  const write = (level: string) => (of: object, message: string) => {
    lines.push(`${level} ${message}`);
    fields.push(of);
  };
  const log = { info: write('info'), warn: write('warn') };
  const outages = watchOutages([dependency('PostgreSQL'), dependency('Redis')], { log });
  return { away, lines, fields, outages };
}

describe('an outage', () => {
  it('is one line when it begins and one when it ends, with its duration, however much fails between', async () => {
    const { away, lines, outages } = harness();
    away.add('Redis');
    for (let second = 0; second < 30; second += 1) {
      for (let n = 0; n < 5; n += 1) outages.report(refused(), 'events not published');
      await vi.advanceTimersByTimeAsync(1000);
    }
    expect(lines).toEqual(['warn Redis does not answer; it is tried again until it does']);
    away.clear();
    await vi.advanceTimersByTimeAsync(1000);
    expect(lines.slice(1)).toEqual([
      expect.stringMatching(/^info Redis answers again after 3[01](?:\.\d)? s$/u),
    ]);
  });

  it('of a second service during the first one has its own two lines', async () => {
    const { away, lines, outages } = harness();
    away.add('Redis');
    outages.report(refused(), 'sweep failed');
    await vi.advanceTimersByTimeAsync(1000);
    away.add('PostgreSQL');
    await vi.advanceTimersByTimeAsync(1000);
    away.clear();
    await vi.advanceTimersByTimeAsync(1000);
    expect(lines.map((line) => line.split(' ').slice(0, 4).join(' '))).toEqual([
      'warn Redis does not',
      'warn PostgreSQL does not',
      'info PostgreSQL answers again',
      'info Redis answers again',
    ]);
  });

  it('has the reason of its own service and counts what failed since it began', async () => {
    const { away, fields, outages } = harness();
    away.add('Redis');
    for (let n = 0; n < 3; n += 1) outages.report(new Error('Command timed out'), 'sweep failed');
    await vi.advanceTimersByTimeAsync(1000);
    away.add('PostgreSQL');
    await vi.advanceTimersByTimeAsync(1000);
    for (let n = 0; n < 2; n += 1) outages.report(refused(), 'request not answered');
    away.clear();
    await vi.advanceTimersByTimeAsync(1000);
    expect(fields).toMatchObject([
      { dependency: 'Redis', reason: 'no connection to Redis' },
      { dependency: 'PostgreSQL', reason: 'no connection to PostgreSQL' },
      { dependency: 'PostgreSQL', failures: 2 },
      { dependency: 'Redis', failures: 5 },
    ]);
  });

  it('begins when a service does not even refuse', async () => {
    const lines: string[] = [];
    const log = { info: () => undefined, warn: (_: object, message: string) => void lines.push(message) };
    const frozen = { name: 'PostgreSQL', probe: () => new Promise(() => undefined) };
    const outages = watchOutages([frozen], { log });
    outages.report(new Error('Query read timeout'), 'dependency down');
    await vi.advanceTimersByTimeAsync(2000);
    expect(lines).toEqual(['PostgreSQL does not answer; it is tried again until it does']);
    outages.close();
  });
});

it('a connection that broke while its service answers is one line for all that failed at once', async () => {
  const { lines, outages } = harness();
  for (let n = 0; n < 5; n += 1) outages.report(refused(), 'idle database connection lost');
  await vi.advanceTimersByTimeAsync(5000);
  expect(lines).toEqual(['warn idle database connection lost; PostgreSQL and the queue answer']);
});

it.each(['ENOENT', 'EAGAIN'])(
  'a UNIX socket that answers %s to a connection is one that is not reachable',
  (code) => {
    const failed = (syscall: string) => Object.assign(new Error(`${syscall} ${code}`), { code, syscall });
    expect(isConnectionError(failed('connect'))).toBe(true);
    expect(isConnectionError(failed('open'))).toBe(false);
  },
);

it.each([
  'WRONGPASS invalid username-password pair or user is disabled.',
  'NOAUTH Authentication required.',
  "READONLY You can't write against a read only replica.",
  "ERR Error running script (call to f_0): @user_script:1: @user_script: 1: -READONLY You can't write against a read only replica.",
  "OOM command not allowed when used memory > 'maxmemory'.",
  'MISCONF Errors writing to the AOF file: No space left on device',
  'LOADING Redis is loading the dataset in memory',
])('a Redis that refuses commands (%s) is one that cannot be used', (message) => {
  expect(isConnectionError(new Error(message))).toBe(true);
});

it('an error other than a lost connection is logged as it is, each time', () => {
  const { lines, outages } = harness();
  for (let n = 0; n < 2; n += 1) outages.report(new TypeError('a fault'), 'sweep failed');
  expect(lines).toEqual(['warn sweep failed', 'warn sweep failed']);
});
