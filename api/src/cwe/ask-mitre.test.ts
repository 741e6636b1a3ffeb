import { fakeClock } from '@riskboard/testing';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { type FakeMitre, json, startMitre, weaknessOf } from '../testing/fake-mitre.ts';
import { mitre } from './ask-mitre.ts';

let server: FakeMitre;
beforeEach(async () => {
  server = await startMitre();
});
afterEach(() => server.close());

const clock = fakeClock();
const ask = () =>
  mitre({ url: `${server.url}/`, log: { warn: () => undefined }, now: () => clock.now().getTime() });
const minute = 60_000;

it('a refusal is believed for an hour', async () => {
  const asking = ask();
  expect(await asking(1)).toBeUndefined();
  clock.advance(59 * minute);
  expect(await asking(1)).toBeUndefined();
  expect(server.asked).toEqual(['/api/v1/cwe/weakness/1']);
  clock.advance(2 * minute);
  server.answer = (_request, response) => json(response, 200, { Weaknesses: [weaknessOf('1')] });
  expect((await asking(1))?.data.Name).toBe('Weakness of a Test');
  expect(server.asked).toHaveLength(2);
});

it('a failure is believed for a minute', async () => {
  const asking = ask();
  server.answer = (_request, response) => json(response, 503, {});
  expect(await asking(1)).toBeUndefined();
  clock.advance(minute / 2);
  expect(await asking(1)).toBeUndefined();
  expect(server.asked).toHaveLength(1);
  clock.advance(minute);
  server.answer = (_request, response) => json(response, 200, { Weaknesses: [weaknessOf('1')] });
  expect((await asking(1))?.id).toBe(1);
});

it('one number’s refusal is not another’s', async () => {
  const asking = ask();
  expect(await asking(1)).toBeUndefined();
  expect(await asking(2)).toBeUndefined();
  expect(server.asked).toEqual(['/api/v1/cwe/weakness/1', '/api/v1/cwe/weakness/2']);
});

it(
  'of more refusals than a thousand the oldest is forgotten, and asked for again',
  { timeout: 60_000 },
  async () => {
    const asking = ask();
    for (let id = 1; id <= 1001; id += 1) await asking(id);
    expect(server.asked).toHaveLength(1001);
    await asking(1001);
    await asking(2);
    expect(server.asked).toHaveLength(1001);
    await asking(1);
    expect(server.asked).toHaveLength(1002);
  },
);
