import type { ErrorReply, Facets, Vignette, VignetteSummary } from '@riskboard/contract';
import { starterVignettes, vignetteText } from '@riskboard/domain';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { readCsv } from '../testing/csv.ts';
import { type Person, signUp } from '../testing/person.ts';
import { strangeId } from '../testing/report.ts';
import { startApi, type TestApi } from '../testing/start-api.ts';
import { shop, shopCell, uploaded, uploadVignette, url } from '../testing/vignettes.ts';

let api: TestApi;
let ada: Person;
beforeAll(async () => {
  api = await startApi();
});
beforeEach(async () => {
  ada = await signUp(api);
});
afterAll(() => api.close());

const put = (id: string, body: object, ifMatch?: string) =>
  ada.call({ method: 'PUT', url: `${url}/${id}`, body, headers: { 'if-match': ifMatch } });
const detail = async (id: string): Promise<Vignette> => (await ada.get(`${url}/${id}`)).json<Vignette>();
const list = async (query = ''): Promise<VignetteSummary[]> =>
  (await ada.get(`${url}${query}`)).json<{ items: VignetteSummary[] }>().items;
const names = async (query?: string) => (await list(query)).map(({ name }) => name);
const create = async (body: object): Promise<Vignette> => {
  const answer = await ada.post(url, body);
  expect(answer.statusCode).toBe(201);
  return answer.json<Vignette>();
};
const events = () =>
  api.relay.published.flatMap(({ data }) => {
    const event = data as { type: string; action?: string; ids?: string[]; by?: string };
    return event.type === 'vignette.changed' ? [[event.action, event.ids, event.by]] : [];
  });
