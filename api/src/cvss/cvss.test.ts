import type { CvssScore, ErrorReply } from '@riskboard/contract';
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

const score = (vector: unknown) => ada.post('/api/cvss/score', { vector });
const v31 = 'CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:H/I:H/A:H';
const v40 = 'CVSS:4.0/AV:N/AC:L/AT:N/PR:N/UI:N/VC:H/VI:H/VA:H/SC:N/SI:N/SA:N';

it.each([
  ['(AV:N/AC:L/Au:N/C:P/I:N/A:N)', '2.0', 5, 'Medium', 'AV:N/AC:L/Au:N/C:P/I:N/A:N'],
  [v31.replace('3.1', '3.0'), '3.0', 9.8, 'Critical', v31.replace('3.1', '3.0')],
  [`  ${v31} `, '3.1', 9.8, 'Critical', v31],
  [`${v31}/E:P/RL:O/RC:C`, '3.1', 8.8, 'High', `${v31}/E:P/RL:O/RC:C`],
  [`${v40}/E:U`, '4.0', 8.1, 'High', `${v40}/E:U`],
])('POST /api/cvss/score scores %s', async (text, version, number, severity, vector) => {
  const answer = await score(text);
  expect(answer.statusCode).toBe(200);
  expect(answer.json<CvssScore>()).toMatchObject({ version, score: number, severity, vector });
  expect(answer.json<CvssScore>().parts['base']).toBeTypeOf('number');
});

it.each([
  ['partial', 'CVSS:3.1/AV:N/AC:L', 'PR'],
  ['partial in version 2.0', 'AV:N/AC:L/Au:N/C:P/I:N', 'Missing metric: A.'],
  ['partial in version 4.0', v40.replace('/SA:N', ''), 'Missing metric: SA.'],
  ['a prefix only', 'CVSS:3.1/', 'metric ""'],
  ['duplicated in version 2.0', 'AV:N/AC:L/Au:N/C:P/I:N/A:N/AV:N', 'Duplicate metric: AV.'],
  ['duplicated in an optional metric', `${v40}/E:U/E:U`, 'Duplicate metric: E.'],
  ['an empty value', v31.replace('C:H', 'C:'), 'C has the unknown value ""'],
  ['an empty metric in the middle', v31.replace('/C:H', '//C:H'), 'metric ""'],
  ['of an unknown version', v31.replace('3.1', '3.2'), 'Unknown CVSS prefix'],
  ['duplicated', `${v31}/A:H`, 'Duplicate metric: A.'],
  ['unknown metric', `${v31}/ZZ:N`, 'ZZ'],
  ['unknown value', v40.replace('UI:N', 'UI:R'), 'UI'],
  ['empty metric', `${v31}/`, 'metric ""'],
  ['no vector', 'high', 'high'],
  ['empty', '  ', 'Enter a vector.'],
  ['too long', v31 + '/'.repeat(600), '500'],
  ['no text', 9.8, 'Send text.'],
])('POST /api/cvss/score answers 422 to a vector that is %s, with the reason', async (_, vector, named) => {
  const answer = await score(vector);
  expect(answer.statusCode).toBe(422);
  const { message, details } = answer.json<ErrorReply>();
  expect(message).toContain(named);
  expect(details).toEqual([{ path: 'vector', message }]);
});

it('POST /api/cvss/score requires a session of any role', async () => {
  expect(
    (await api.app.inject({ method: 'POST', url: '/api/cvss/score', body: { vector: v31 } })).statusCode,
  ).toBe(401);
  const viewer = await signUp(api);
  await viewer.becomes('viewer');
  expect((await viewer.post('/api/cvss/score', { vector: v31 })).statusCode).toBe(200);
});
