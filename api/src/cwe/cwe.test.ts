import type { Cwe, ErrorReply } from '@riskboard/contract';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type FakeMitre, json, startMitre, weaknessOf } from '../testing/fakes/fake-mitre.ts';
import { type Person, signUp } from '../testing/person.ts';
import { startApi, type TestApi } from '../testing/start-api.ts';

let api: TestApi;
let ada: Person;
let mitre: FakeMitre;
const lines: string[] = [];

beforeAll(async () => {
  mitre = await startMitre();
  api = await startApi({
    cweApiUrl: mitre.url,
    logLevel: 'warn',
    logTo: { write: (line) => void lines.push(line) },
  });
  ada = await signUp(api);
});
afterAll(async () => {
  await api.close();
  await mitre.close();
});
beforeEach(() => {
  mitre.requested = [];
  mitre.answer = (_request, response) => json(response, 404, {});
  lines.length = 0;
});

const get = (id: string) => ada.get(`/api/cwe/${encodeURIComponent(id)}`);
/** A number that no catalogue has; different each time, because responses are cached. */
let last = 90_000;
const unknown = (): string => {
  last += 1;
  return String(last);
};

describe('GET /api/cwe from the catalogue', () => {
  it.each(['79', 'CWE-79', 'cwe79', ' 79 ', 'cwe-0079', 'CWE_79'])('accepts %j for CWE-79', async (id) => {
    const answer = await get(id);
    expect(answer.statusCode).toBe(200);
    expect(answer.json<Cwe>()).toMatchObject({
      ID: '79',
      Status: 'Stable',
      Likelihood: 'High',
      url: 'https://cwe.mitre.org/data/definitions/79.html',
    });
    expect(mitre.requested).toEqual([]);
  });

  it.each(['x', 'CWE-', '79, 80', '79;', '-79', '7.9', '0', '1'.repeat(30), '1000000', "79' or 1=1", '%'])(
    'answers 404 to %j without a request to MITRE',
    async (id) => {
      const answer = await get(id);
      expect(answer.statusCode).toBe(404);
      expect(answer.json<ErrorReply>().message).toBe(`No details found for ${id}`);
      expect(mitre.requested).toEqual([]);
    },
  );

  it('requires a session', async () => {
    expect((await api.app.inject({ url: '/api/cwe/79' })).statusCode).toBe(401);
  });
});

describe('GET /api/cwe from the CWE REST API', () => {
  it('requests a weakness once, stores it and serves it from the table afterwards', async () => {
    const id = unknown();
    mitre.answer = (_request, response) => json(response, 200, { Weaknesses: [weaknessOf(id)] });
    const first = await get(`CWE-${id}`);
    const parent = { ID: '20', Name: 'Improper Input Validation', Views: ['1000', '1003'] };
    const source = (await get('79')).json<Cwe>().catalogueVersion;
    expect(first.json<Cwe>()).toEqual({
      ID: id,
      Name: 'Weakness of a Test',
      kind: 'weakness',
      Abstraction: 'Base',
      Structure: 'Simple',
      Status: 'Draft',
      Description: 'The product accepts more than it was tested for.',
      Likelihood: 'Low',
      url: `https://cwe.mitre.org/data/definitions/${id}.html`,
      ExtendedDescription: '',
      Weaknesses: [{ ...parent, Nature: 'ChildOf' }],
      Parents: [parent],
      Children: [],
      Members: [],
      MemberOf: [],
      Consequences: [
        {
          Scope: ['Integrity'],
          Impact: ['Unexpected State'],
          Likelihood: '',
          Note: '',
          TechnicalImpacts: ['DoS: unreliable execution'],
        },
      ],
      Mitigations: [],
      MappingNotes: { Usage: 'Allowed', Rationale: '', Comments: '' },
      technicalImpacts: [],
      inheritedFrom: null,
      note: `The catalogue ${source} does not know CWE-${id}.`,
      catalogueVersion: source,
      notice: expect.stringContaining('The MITRE Corporation') as string,
      vulnerabilities: { total: 0, totalIsCapped: false, items: [] },
      source: 'CWE REST API',
    });
    expect((await get(id)).json()).toEqual(first.json());
    expect(mitre.requested).toEqual([`/api/v1/cwe/weakness/${id}`]);
  });

  it('sends one request at a time for one number', async () => {
    const id = unknown();
    mitre.answer = (_request, response) => {
      setTimeout(() => json(response, 200, { Weaknesses: [weaknessOf(id)] }), 100);
    };
    const answers = await Promise.all([id, `CWE-${id}`, `cwe${id}`, id].map(get));
    expect(answers.map(({ statusCode }) => statusCode)).toEqual([200, 200, 200, 200]);
    expect(mitre.requested).toHaveLength(1);
  });

  it('answers 404 without a log line when the API does not know the weakness', async () => {
    const id = unknown();
    for (const form of [id, `CWE-${id}`]) {
      const answer = await get(form);
      expect(answer.statusCode).toBe(404);
      expect(answer.json<ErrorReply>().message).toBe(`No details found for ${form}`);
    }
    expect(mitre.requested).toHaveLength(1);
    expect(lines).toEqual([]);
  });

  it('cleans and limits the texts of the API', async () => {
    const id = unknown();
    const hostile = weaknessOf(id, {
      Name: ' Name\u0000\uD800 ',
      LikelihoodOfExploit: null,
      RelatedWeaknesses: undefined,
      CommonConsequences: null,
      url: 'javascript:alert(1)',
    });
    mitre.answer = (_request, response) => json(response, 200, { Weaknesses: [weaknessOf('79'), hostile] });
    expect((await get(id)).json<Cwe>()).toMatchObject({
      Name: 'Name\uFFFD\uFFFD',
      Likelihood: '',
      Weaknesses: [],
      Consequences: [],
      url: `https://cwe.mitre.org/data/definitions/${id}.html`,
    });
  });
});

const tooLong = 'x'.repeat(2 * 1024 * 1024);

describe('GET /api/cwe answers 404 and logs an unusable response', () => {
  it.each<[name: string, answer: FakeMitre['answer'], reason: RegExp]>([
    ['an error', (_request, response) => json(response, 500, {}), /unexpected status 500/u],
    ['too many requests', (_request, response) => json(response, 429, {}), /unexpected status 429/u],
    ['another shape', (_request, response) => json(response, 200, { hello: 'world' }), /ZodError/u],
    ['no JSON', (_request, response) => void response.end('<html>'), /SyntaxError/u],
    [
      'too long',
      (_request, response) => json(response, 200, { Weaknesses: [], padding: tooLong }),
      /the response is too long/u,
    ],
    [
      'a redirect',
      (request, response) => {
        if (request.url?.includes('elsewhere')) return json(response, 200, { Weaknesses: [] });
        response.writeHead(302, { location: `${mitre.url}/elsewhere` }).end();
      },
      /redirect/u,
    ],
    ['a closed connection', (request) => void request.socket.destroy(), /fetch failed/u],
  ])('%s', async (_name, answer, reason) => {
    const id = unknown();
    mitre.answer = answer;
    expect((await get(id)).statusCode).toBe(404);
    expect(lines).toHaveLength(1);
    expect(lines[0]).toMatch(reason);
    // The failure is cached for a minute: no second request.
    expect((await get(id)).statusCode).toBe(404);
    expect(mitre.requested).toHaveLength(1);
  });

  it('no response within three seconds', async () => {
    mitre.answer = () => undefined;
    const begun = Date.now();
    expect((await get(unknown())).statusCode).toBe(404);
    expect(Date.now() - begun).toBeGreaterThan(2500);
    expect(lines[0]).toMatch(/TimeoutError/u);
  });

  it('a response with another weakness', async () => {
    mitre.answer = (_request, response) => json(response, 200, { Weaknesses: [weaknessOf('1')] });
    expect((await get(unknown())).statusCode).toBe(404);
    expect(lines).toEqual([]);
  });
});

it('GET /api/cwe sends no request when the CWE REST API is turned off', async () => {
  const quiet = await startApi({ cweApiUrl: '' });
  const person = await signUp(quiet);
  expect((await person.get(`/api/cwe/${unknown()}`)).statusCode).toBe(404);
  expect((await person.get('/api/cwe/79')).statusCode).toBe(200);
  expect(mitre.requested).toEqual([]);
  await quiet.close();
});
