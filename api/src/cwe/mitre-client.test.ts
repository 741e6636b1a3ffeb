import { fakeClock } from '@riskboard/testing';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { type FakeMitre, json, startMitre, weaknessOf } from '../testing/fakes/fake-mitre.ts';
import { mitreClient } from './mitre-client.ts';

let server: FakeMitre;
beforeEach(async () => {
  server = await startMitre();
  warn.mockClear();
});
afterEach(async () => {
  vi.restoreAllMocks();
  await server.close();
});

const clock = fakeClock();
const warn = vi.fn<() => void>();
const ask = () => mitreClient({ url: `${server.url}/`, log: { warn }, now: () => clock.now().getTime() });
const minute = 60_000;

it('mitreClient remembers an unknown weakness for an hour', async () => {
  const asking = ask();
  expect(await asking(1)).toBeUndefined();
  clock.advance(59 * minute);
  expect(await asking(1)).toBeUndefined();
  expect(server.requested).toEqual(['/api/v1/cwe/weakness/1']);
  clock.advance(2 * minute);
  server.answer = (_request, response) => json(response, 200, { Weaknesses: [weaknessOf('1')] });
  expect((await asking(1))?.data.Name).toBe('Weakness of a Test');
  expect(server.requested).toHaveLength(2);
});

it('mitreClient remembers a failed request for a minute', async () => {
  const asking = ask();
  server.answer = (_request, response) => json(response, 503, {});
  expect(await asking(1)).toBeUndefined();
  clock.advance(minute / 2);
  expect(await asking(1)).toBeUndefined();
  expect(server.requested).toHaveLength(1);
  clock.advance(minute);
  server.answer = (_request, response) => json(response, 200, { Weaknesses: [weaknessOf('1')] });
  expect((await asking(1))?.id).toBe(1);
});

it('mitreClient ends a request without an answer after three seconds', async () => {
  const ended = new AbortController();
  const limit = vi.spyOn(AbortSignal, 'timeout').mockReturnValue(ended.signal);
  server.answer = () => ended.abort();
  expect(await ask()(1)).toBeUndefined();
  expect(limit).toHaveBeenCalledExactlyOnceWith(3000);
  expect(warn).toHaveBeenCalledOnce();
});

it('mitreClient remembers each number separately', async () => {
  const asking = ask();
  expect(await asking(1)).toBeUndefined();
  expect(await asking(2)).toBeUndefined();
  expect(server.requested).toEqual(['/api/v1/cwe/weakness/1', '/api/v1/cwe/weakness/2']);
});

it('mitreClient forgets the oldest of more than a thousand misses', { timeout: 60_000 }, async () => {
  const asking = ask();
  for (let id = 1; id <= 1001; id += 1) {
    await asking(id);
    clock.advance(1000);
  }
  expect(server.requested).toHaveLength(1001);
  await asking(1001);
  await asking(2);
  expect(server.requested).toHaveLength(1001);
  await asking(1);
  expect(server.requested).toHaveLength(1002);
});

it('mitreClient sends no request for a number of more than five digits', async () => {
  const asking = ask();
  expect(await asking(100_000)).toBeUndefined();
  expect(server.requested).toEqual([]);
  await asking(99_999);
  expect(server.requested).toEqual(['/api/v1/cwe/weakness/99999']);
});

it('mitreClient sends at most 60 requests a minute, and logs the first request that it leaves out', async () => {
  const asking = ask();
  for (let id = 1; id <= 70; id += 1) expect(await asking(id)).toBeUndefined();
  expect(server.requested).toHaveLength(60);
  expect(warn).toHaveBeenCalledOnce();
  clock.advance(minute);
  server.answer = (_request, response) => json(response, 200, { Weaknesses: [weaknessOf('70')] });
  expect((await asking(70))?.id).toBe(70);
});

it('mitreClient sends two requests at once, and refuses more than four that wait', async () => {
  const asking = ask();
  const held: (() => void)[] = [];
  server.answer = ({ url }, response) =>
    void held.push(() => json(response, 200, { Weaknesses: [weaknessOf(url?.split('/').at(-1) ?? '')] }));
  const answers = [1, 2, 3, 4, 5, 6, 7].map((id) => asking(id));
  expect(await answers.at(-1)).toBeUndefined();
  expect(warn).toHaveBeenCalledOnce();
  for (const requested of [2, 4, 6]) {
    await vi.waitFor(() => expect(held).toHaveLength(2));
    expect(server.requested).toHaveLength(requested);
    for (const answer of held.splice(0)) answer();
  }
  expect((await Promise.all(answers)).map((entry) => entry?.id)).toEqual([1, 2, 3, 4, 5, 6, undefined]);
});
