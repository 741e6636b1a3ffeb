import type { CwssScore, ErrorReply } from '@riskboard/contract';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Person, signUp } from '../testing/person.ts';
import { startApi, type TestApi } from '../testing/start-api.ts';

let api: TestApi;
let ada: Person;
beforeAll(async () => {
  api = await startApi();
  ada = await signUp(api);
});
afterAll(() => api.close());

const score = (vector: unknown) => ada.post('/api/cwss/score', { vector });
const factors =
  'TI:H,0.9/AP:A,1.0/AL:A,1.0/IC:N,1.0/FC:T,1.0/RP:L,0.9/RL:A,1.0/AV:I,1.0/AS:N,1.0/IN:T,0.9/SC:A,1.0/BI:C,1.0/DI:H,1.0/EX:H,1.0/EC:N,1.0/P:NA,1.0';

it.each([
  ['a vector', `(${factors})`, []],
  ['a vector without brackets', factors, []],
  ['a link of a calculator', `https://example.org/cwss#${factors}/`, []],
  ['another weight', `(${factors.replace('BI:C,1.0', 'BI:C,0.9')})`, [expect.stringContaining('BI:C')]],
])('POST /api/cwss/score scores %s', async (_what, vector, warnings) => {
  const answer = await score(vector);
  expect(answer.statusCode).toBe(200);
  expect(answer.json<CwssScore>()).toEqual({
    score: 92.6,
    raw: 92.64,
    base: 96,
    attackSurface: 0.965,
    environmental: 1,
    vector: `(${factors})`,
    warnings,
  });
});

it.each([
  ['an unknown factor', `${factors}/CONF:H`, 'CWSS has no factor "CONF".'],
  ['an unknown value', factors.replace('AS:N,1.0', 'AS:L'), 'AS (Authentication Strength) has no value "L".'],
  ['a missing factor', factors.replace('TI:H,0.9/', ''), 'Missing factor: TI.'],
  ['nothing', '  ', 'Enter a vector.'],
  ['a number', 92.6, 'Send text.'],
])('POST /api/cwss/score answers 422 to %s, with the reason', async (_what, vector, named) => {
  const answer = await score(vector);
  expect(answer.statusCode).toBe(422);
  const { message, details } = answer.json<ErrorReply>();
  expect(message).toContain(named);
  expect(details).toEqual([{ path: 'vector', message }]);
});

it('POST /api/cwss/score requires a session of any role', async () => {
  const url = '/api/cwss/score';
  expect((await api.app.inject({ method: 'POST', url, body: { vector: factors } })).statusCode).toBe(401);
  const viewer = await signUp(api);
  await viewer.becomes('viewer');
  expect((await viewer.post(url, { vector: factors })).statusCode).toBe(200);
});
