import { fakeClock } from '@riskboard/testing';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { type FakeMitre, json, startMitre, weaknessOf } from '../testing/fakes/fake-mitre.ts';
import { mitreClient } from './mitre-client.ts';

let server: FakeMitre;
beforeEach(async () => {
  server = await startMitre();
});
afterEach(() => server.close());

const clock = fakeClock();
const ask = () =>
  mitreClient({ url: `${server.url}/`, log: { warn: () => undefined }, now: () => clock.now().getTime() });
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

it('mitreClient remembers each number separately', async () => {
  const asking = ask();
  expect(await asking(1)).toBeUndefined();
  expect(await asking(2)).toBeUndefined();
  expect(server.requested).toEqual(['/api/v1/cwe/weakness/1', '/api/v1/cwe/weakness/2']);
});

it('mitreClient forgets the oldest of more than a thousand misses', { timeout: 60_000 }, async () => {
  const asking = ask();
  for (let id = 1; id <= 1001; id += 1) await asking(id);
  expect(server.requested).toHaveLength(1001);
  await asking(1001);
  await asking(2);
  expect(server.requested).toHaveLength(1001);
  await asking(1);
  expect(server.requested).toHaveLength(1002);
});
