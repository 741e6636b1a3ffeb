import { type ErrorReply, reports } from '@riskboard/contract';
import fastify from 'fastify';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { handleError } from '../lib/http/error-handler.ts';
import { type Person, signUp } from '../testing/person.ts';
import { startApi, type TestApi } from '../testing/start-api.ts';

let api: TestApi;
let ada: Person;
beforeAll(async () => {
  api = await startApi();
  ada = await signUp(api);
});
afterAll(() => api.close());

const unknownId = '01890000-0000-7000-8000-000000000000';

describe('an unknown report is answered with the message of the spec (spec 8, Fallback messages)', () => {
  it.each([
    ['GET', 'files/:id', 'Failed to retrieve file'],
    ['GET', 'files/:id/raw', 'Failed to retrieve file'],
    ['GET', 'files/:id/vulnerabilities/count', 'Failed to count vulnerabilities'],
    ['GET', 'files/:id/threats/count', 'Failed to count threats'],
    ['DELETE', 'files/:id', 'Failed to delete file'],
    ['POST', 'extract-vulnerability', 'Failed to request extraction'],
    ['POST', 'extract-threat', 'Failed to request threat extraction'],
  ] as const)('%s %s: %s', async (method, path, message) => {
    const ask = (id: string) =>
      ada.call({
        method,
        url: `/api/reports/${path.replace(':id', id)}`,
        ...(method === 'POST' ? { payload: { id } } : {}),
      });
    expect((await ask(unknownId)).json<ErrorReply>()).toMatchObject({ statusCode: 404, message });
    // An invalid id in the path is answered like an unknown one.
    if (method !== 'POST')
      expect((await ask('x')).json<ErrorReply>()).toMatchObject({ statusCode: 404, message });
  });
});

describe('a call that fails', () => {
  it.each([
    [reports.deleteFiles.fallback, 'Failed to delete files'],
    [undefined, 'An unexpected error occurred.'],
  ])('with the fallback %s returns %s without the reason', async (fallback, message) => {
    const app = fastify();
    app.setErrorHandler(handleError);
    app.get('/', { config: fallback ? { fallback } : {} }, () => Promise.reject(new Error('secret')));
    const answer = await app.inject('/');
    expect(answer.json()).toMatchObject({ statusCode: 500, code: 'internal', message });
    expect(answer.body).not.toContain('secret');
  });
});
