import type { CwssScore, ErrorReply } from '@riskboard/contract';
import fc from 'fast-check';
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
  ['a percent-encoded link with a query', `https://example.org/?a=1#${encodeURIComponent(factors)}`, []],
  ['a vector without weights', factors.replaceAll(/,[\d.]+/gu, ''), []],
  ['a vector in lower case on several lines', factors.toLowerCase().replaceAll('/', '/\n'), []],
  [
    'a removed factor',
    `CWSS:1.0.1/(${factors}/RE:A)`,
    [expect.stringContaining('CWSS:1.0.1/'), expect.stringContaining('RE')],
  ],
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
  ['IN:L', factors.replace('IN:T', 'IN:L'), 'IN (Level of Interaction) has no value "L".'],
  ['SC:N', factors.replace('SC:A', 'SC:N'), 'SC (Deployment Scope) has no value "N".'],
  ['a factor twice', `${factors}/AP:A`, 'Duplicate factor: AP.'],
  ['Q without a weight', factors.replace('TI:H,0.9', 'TI:Q'), 'TI (Technical Impact) is quantified (Q)'],
  ['a link without a vector', 'https://example.org/#top', 'The text has no CWSS vector.'],
  ['1,001 characters', 'T'.repeat(1001), 'Use at most 1,000 characters.'],
  ['NUL', `${factors}\0`, 'NUL'],
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

it.each(['/api/cwss/score', '/api/cvss/score'])('POST %s answers 200 or 422 to any text', async (url) => {
  const signs = fc.constantFrom(
    '(',
    '/',
    ':',
    ',',
    '#',
    '?',
    '&',
    '%',
    '%2',
    '\n',
    'Q',
    'AV:',
    'CVSS:3.1/',
    'CVSS:4.0/',
  );
  const text = fc.oneof(
    fc
      .tuple(fc.nat(150), fc.nat(9), fc.string())
      .map(([at, n, part]) => factors.slice(0, at) + part + factors.slice(at + n)),
    fc.array(signs, { maxLength: 80 }).map((all) => all.join('')),
    fc.string({ unit: 'binary', maxLength: 1000 }),
    fc.constantFrom('/', '(', ')/', '#', ':,', '%25', 'A:').map((one) => one.repeat(300)),
  );
  await fc.assert(
    fc.asyncProperty(text, async (vector) => {
      expect([200, 422]).toContain((await ada.post(url, { vector })).statusCode);
    }),
    { numRuns: 30 },
  );
});

it('POST /api/cwss/score requires a session of any role', async () => {
  const url = '/api/cwss/score';
  expect((await api.app.inject({ method: 'POST', url, body: { vector: factors } })).statusCode).toBe(401);
  const viewer = await signUp(api);
  await viewer.becomes('viewer');
  expect((await viewer.post(url, { vector: factors })).statusCode).toBe(200);
});
