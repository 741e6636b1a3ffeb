import { expect, it, vi } from 'vitest';
import { loginProblem, untilReachable } from './until-reachable.ts';

const refused = Object.assign(new Error('connect ECONNREFUSED 127.0.0.1:5432'), { code: 'ECONNREFUSED' });

const makeLog = () => ({
  info: vi.fn<(fields: object, message: string) => void>(),
  warn: vi.fn<(fields: object, message: string) => void>(),
});
const failing = () => vi.fn<() => Promise<string>>();

it('a start waits for a service that is away with one line, and says when it continues', async () => {
  const log = makeLog();
  const work = failing()
    .mockRejectedValueOnce(refused)
    .mockRejectedValueOnce(refused)
    .mockResolvedValue('done');
  await expect(untilReachable(work, { name: 'PostgreSQL', log, everyMs: 1 })).resolves.toBe('done');
  expect(work).toHaveBeenCalledTimes(3);
  expect(log.warn.mock.calls).toEqual([
    [
      { dependency: 'PostgreSQL', reason: refused.message },
      'PostgreSQL does not answer; the start waits until it does',
    ],
  ]);
  expect(log.info).toHaveBeenCalledOnce();
});

it('a start does not wait for a service that refuses the configuration', async () => {
  const log = makeLog();
  const wrong = Object.assign(new Error('password authentication failed'), { code: '28P01' });
  const work = failing().mockRejectedValue(wrong);
  await expect(untilReachable(work, { name: 'PostgreSQL', log })).rejects.toBe(wrong);
  expect(log.warn).not.toHaveBeenCalled();
});

it('a start logs nothing about a service that answers', async () => {
  const log = makeLog();
  await untilReachable(async () => 1, { name: 'PostgreSQL', log });
  expect(log.info).not.toHaveBeenCalled();
});

it.each(['28P01', '28000', '3D000'])(
  'a refused login (%s) is named as a problem of the configuration',
  (code) => {
    const error = Object.assign(new Error('refused by the server'), { code });
    expect(loginProblem(error)).toMatch(/^Configuration: .*DATABASE_URL.*: refused by the server$/u);
  },
);

it('an outage is not a problem of the configuration', () => {
  expect(loginProblem(refused)).toBeUndefined();
});
