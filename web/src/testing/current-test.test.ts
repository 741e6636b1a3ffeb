import { accounts } from '@riskboard/contract';
import { describe, expect, test } from 'vitest';
import { call } from '../lib/api/call.ts';
import { createOwnedStore, pageOwner } from '../lib/session/page-owner.ts';
import { counted, useServer } from './server.ts';
import { userOf } from './rows.ts';

useServer();

describe('after a test', () => {
  const kept = createOwnedStore('nothing');
  const late: Promise<unknown>[] = [];
  const { promise: next, resolve: nextBegins } = Promise.withResolvers<void>();

  /** Runs a step of the test that began it while the next one runs. */
  const later = (step: () => unknown) => late.push(next.then(step));

  test('a page is left with an open request, and with steps that follow', async () => {
    const received = Promise.withResolvers<void>();
    const answered = Promise.withResolvers<void>();
    counted(accounts.me, async () => {
      received.resolve();
      await answered.promise;
      return { user: userOf() };
    });
    late.push(call(accounts.me));
    await received.promise;
    later(() => answered.resolve());
    later(() => call(accounts.me));
    later(() => counted(accounts.me, () => ({ user: userOf({ firstName: 'Late' }) })));
    pageOwner.set('ada');
    kept.set('something');
    sessionStorage.setItem('key', 'value');
    localStorage.setItem('key', 'value');
    expect(late).toHaveLength(4);
  });

  test('its requests and answers fail, and it sets no handlers', async () => {
    const running = counted(accounts.me, () => ({ user: userOf({ firstName: 'Grace' }) }));
    nextBegins();
    const ends = await Promise.allSettled(late);
    const reasons = ends.map((end) => (end.status === 'rejected' ? (end.reason as Error) : undefined));
    expect(reasons.map((reason) => reason?.name)).toEqual([
      'UnreachableError',
      undefined,
      'UnreachableError',
      'Error',
    ]);
    expect(reasons.at(-1)?.message).toMatch(/^The test 'a page is left .*' has ended\.$/u);
    expect(running.times).toBe(0);
    expect((await call(accounts.me)).user.firstName).toBe('Grace');
    expect(running.times).toBe(1);
  });

  test('session and storage are empty', () => {
    expect(pageOwner.get()).toBeUndefined();
    expect(kept.get()).toBe('nothing');
    expect(sessionStorage.length + localStorage.length).toBe(0);
  });
});
