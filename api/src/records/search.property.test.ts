import fc from 'fast-check';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Person, signUp } from '../testing/person.ts';
import { rowMaker } from '../testing/records.ts';
import { startApi, type TestApi } from '../testing/start-api.ts';

let api: TestApi;
let ada: Person;
beforeAll(async () => {
  api = await startApi();
  ada = await signUp(api);
});
afterAll(() => api.close());

/** Characters that are found in either case, and those with a meaning in LIKE, SQL or a URL. */
const unit = fc.constantFrom('a', 'A', 'b', '%', '_', '\\', "'", '"', ' ', '&', '+', '$', '1');
const text = (maxLength: number) => fc.string({ unit, minLength: 1, maxLength });
const sharp = { seed: 20_261_121 };

const nouns = [
  { noun: 'vulnerabilities', table: 'vulnerability', identifier: ['cve_id', 'cveId'] },
  { noun: 'threats', table: 'threat', identifier: ['threat_id', 'threatID'] },
] as const;

it.each(nouns)(
  '$noun: the search finds a text anywhere in a name or identifier, with wildcards as plain characters',
  async ({ noun, table, identifier: [column, field] }) => {
    const made = fc.sample(fc.record({ name: text(8), [column]: text(4) }), { ...sharp, numRuns: 120 });
    await rowMaker(api, ada).make(table, made);
    const list = async (query: Record<string, string>) => {
      const search = new URLSearchParams({ pageSize: '500', ...query }).toString();
      const answer = await ada.get(`/api/${noun}?${search}`);
      const reply = answer.json<{ total: number } & Record<string, Record<string, string>[]>>();
      expect(reply.total).toBe(reply[noun]?.length);
      return reply[noun] ?? [];
    };
    const all = await list({});
    expect(all).toHaveLength(120);
    let found = 0;
    const property = fc.asyncProperty(text(4), async (search) => {
      const wanted = search.trim().toLowerCase();
      const fits = all.filter((row) =>
        [row['name'], row[field]].some((value) => value?.toLowerCase().includes(wanted)),
      );
      const ids = (rows: Record<string, string>[]) => rows.map((row) => row['_id'] ?? '').toSorted();
      expect(ids(await list({ search }))).toEqual(ids(fits));
      if (fits.length > 0 && fits.length < all.length) found += 1;
    });
    await fc.assert(property, { ...sharp, numRuns: 120 });
    expect(found).toBeGreaterThan(40);
  },
);
