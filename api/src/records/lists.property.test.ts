import { type Facets, type ListFields, threatList, vulnerabilityList } from '@riskboard/contract';
import { riskBandOf, severityBandOf } from '@riskboard/domain';
import fc from 'fast-check';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Person, signUp } from '../testing/person.ts';
import { rowMaker } from '../testing/records.ts';
import { startApi, type TestApi } from '../testing/start-api.ts';

type Row = Record<string, unknown> & { _id: string };
type ListQuery = Record<string, string[] | number | string | undefined>;

/** Few distinct values, so that values are often equal or empty and filters overlap. */
const texts = ['', 'a.json', 'B.json', 'ä b.json'];
const scores = [null, 0, 3.9, 4, 6.9, 7, 8.9, 9, 10];
const cwes = [[], ['CWE-79'], ['CWE-79', 'CWE-89'], ['CWE-22']];
const dayMs = 86_400_000;
/** Moments that differ by microseconds only, and some that are old. */
const moments = ['.000000', '.000001', '.000999', '.001000', '.999999'].flatMap((fraction) =>
  [0, 29, 31, 400].map((days) => {
    const second = new Date(Date.now() - days * dayMs - 3_600_000).toISOString().slice(0, 19);
    return `${second}${fraction}Z`;
  }),
);
const days = ['2023-12-31', '2024-01-01', '2024-02-29', '2024-03-01'];
const one = <T>(values: readonly T[]) => fc.constantFrom(...values);
const sharp = { seed: 20_261_121 };

const vulnerabilityRows = fc.record({
  name: one(['Alpha', 'alpha', 'beta', 'Älter']),
  source_file: one(texts),
  cve_id: one(['', 'CVE-2024-1111', 'CVE-2024-2222']),
  cwe: one(cwes),
  severity: one(scores),
  status: one(['open', 'fixed', 'accepted']),
  category_id: one([null, 1, 6]),
  cvss_score: one(scores),
  cvss_version: one(['', '3.1', '4.0']),
  cwss_score: one([null, 12.5, 80]),
  exploitability: one([null, 1, 10]),
  impact: one([null, 0, 10]),
  applied_vignette: one(['', 'Retail']),
  withdrawn: one([null, 'revoked']),
  discovery_date: one([null, ...days]),
  fix_date: one([null, ...days]),
  created_at: one(moments),
  updated_at: one(moments),
});
const threatRows = fc.record({
  name: one(['Alpha', 'alpha', 'beta', 'Älter']),
  source_file: one(texts),
  threat_id: one(['', 'CAPEC-66', 'T1566']),
  kind: one(['', 'malware', 'attack-pattern']),
  threat_type_id: one([null, 1, 2]),
  // A user can enter the text that empty values are shown as.
  threat_category: one(['', 'Crime', 'N/A']),
  motivation: one([null, 1, 3]),
  capability: one([null, 1, 3]),
  likelihood: one([null, 1, 5]),
  impact: one([null, 1, 5]),
  risk_level: one([null, 0, 30, 30.5, 60, 61, 100]),
  is_active: one([true, false]),
  withdrawn: one([null, 'deprecated']),
  created_at: one(moments),
  updated_at: one(moments),
});

const special: Record<string, string> = { threatID: 'threat_id', risk: 'risk' };
const columnOf = (field: string): string =>
  special[field] ?? field.replaceAll(/[A-Z]/gu, (capital) => `_${capital.toLowerCase()}`);

const isEmpty = (value: unknown): boolean =>
  value === null || value === '' || (Array.isArray(value) && value.length === 0);

/** The filter values that match a row. */
function namesOf(row: Row, field: string): string[] {
  const value = field === 'risk' ? row['riskLevel'] : row[field];
  if (isEmpty(value)) return ['N/A'];
  if (field === 'risk') return [riskBandOf(value as number).value];
  if (field === 'severity') return [severityBandOf(value as number).value];
  if (Array.isArray(value)) return value as string[];
  return [String(value)];
}

const isNew = (row: Row): boolean =>
  row['status'] === 'open' && Date.parse(String(row['createdAt'])) > Date.now() - 30 * dayMs;

/** The filter rule of spec 5, implemented without SQL. */
function fits(row: Row, field: string, query: ListQuery): boolean {
  const chosen = (query[field] ?? []) as string[];
  const [min, max] = [query[`${field}Min`], query[`${field}Max`]];
  const names = namesOf(row, field);
  if (names[0] === 'N/A' && chosen.includes('N/A')) return true;
  const values = chosen.filter((value) => value !== 'N/A');
  if (chosen.length > values.length && values.length === 0 && min === undefined && max === undefined)
    return false;
  if (values.length === 0 && min === undefined && max === undefined) return true;
  const value = row[field] as string | number;
  if (names[0] === 'N/A') return false;
  const named = values.some((one) => names.includes(one) || (one === 'new' && isNew(row)));
  return (
    (values.length === 0 || named) &&
    !(min !== undefined && value < min) &&
    !(max !== undefined && value > max)
  );
}

const nouns = [
  { noun: 'vulnerabilities', table: 'vulnerability', list: vulnerabilityList, rows: vulnerabilityRows },
  { noun: 'threats', table: 'threat', list: threatList, rows: threatRows },
] as const;

let api: TestApi;
let ada: Person;
const all: Record<string, Row[]> = {};
beforeAll(async () => {
  api = await startApi();
  ada = await signUp(api);
  const stranger = await signUp(api);
  for (const { noun, table, rows } of nouns) {
    const made = fc.sample<Record<string, unknown>>(rows, { ...sharp, numRuns: 150 });
    await rowMaker(api, ada).make(table, made);
    await rowMaker(api, stranger).make(table, made.slice(0, 20));
    all[noun] = (await list(noun, { pageSize: '500' })).rows;
  }
});
afterAll(() => api.close());

function address(path: string, query: ListQuery): string {
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries(query))
    for (const item of [value].flat()) if (item !== undefined) search.append(name, `${item}`);
  return `/api/${path}?${search.toString()}`;
}

async function list(noun: string, query: ListQuery) {
  const answer = await ada.get(address(noun, query));
  expect([answer.statusCode, answer.statusCode === 200 ? '' : answer.body]).toEqual([200, '']);
  const reply = answer.json<{ total: number; nextCursor: string | null } & Record<string, Row[]>>();
  return { rows: reply[noun] ?? [], total: reply.total, next: reply.nextCursor };
}

/** A filter over some of the fields: values that exist and that do not, N/A alone and with others, ranges. */
function filters(fields: ListFields): fc.Arbitrary<ListQuery> {
  const numbers = fc.constantFrom(0, 1, 3.9, 4, 7, 9, 30, 60, 80);
  const parts = Object.entries(fields).flatMap(([name, { kind, values }]) => {
    if (kind === 'text') return [];
    const free: Record<string, string[]> = {
      sourceFile: texts.slice(1),
      cveId: ['CVE-2024-1111', 'CVE-2024-9999'],
      cwe: ['CWE-79', 'CWE-89', 'CWE-1'],
      kind: ['malware', 'tool'],
    };
    const named = [...(values ?? free[name] ?? ['Retail', '3.1', 'Crime']), 'N/A'];
    const choice = kind === 'choice' || values ? named : ['N/A'];
    const chosen = fc.uniqueArray(one(choice), { minLength: 1, maxLength: 3 });
    const times = kind === 'day' ? days : moments.map((text) => new Date(text).toISOString());
    const bound = kind === 'day' || kind === 'time' ? one(times) : numbers;
    const range = kind === 'choice' ? [] : [[`${name}Min`, bound] as const, [`${name}Max`, bound] as const];
    return [[name, chosen] as const, ...range];
  });
  return fc
    .subarray(parts as [string, fc.Arbitrary<string[] | number | string>][], { minLength: 0, maxLength: 4 })
    .chain((some) => fc.record(Object.fromEntries(some)) as fc.Arbitrary<ListQuery>);
}

describe.each(nouns)('the list of $noun', ({ noun, table, list: { fields } }) => {
  const expected = (query: ListQuery, except?: string): Row[] =>
    (all[noun] ?? []).filter((row) =>
      Object.keys(fields).every((field) => field === except || fits(row, field, query)),
    );

  it('under any filter has the rows that a plain implementation selects', async () => {
    let narrowed = 0;
    await fc.assert(
      fc.asyncProperty(filters(fields), async (query) => {
        const { rows, total } = await list(noun, { ...query, pageSize: 500 });
        const wanted = expected(query).map((row) => row._id);
        expect(rows.map((row) => row._id).toSorted()).toEqual(wanted.toSorted());
        expect(total).toBe(wanted.length);
        if (wanted.length > 0 && wanted.length < (all[noun]?.length ?? 0)) narrowed += 1;
      }),
      { ...sharp, numRuns: 150 },
    );
    // A property whose filters never exclude or never match a row would prove nothing.
    expect(narrowed).toBeGreaterThan(40);
  });

  it('has facets that count each field under the filters of the others', async () => {
    await fc.assert(
      fc.asyncProperty(filters(fields), async (query) => {
        const answer = await ada.get(address(`${noun}/facets`, query));
        const { facets } = answer.json<Facets>();
        for (const [name, { kind, values }] of Object.entries(fields as ListFields)) {
          if (kind === 'text') continue;
          const rows = expected(query, name);
          const counts = new Map<string, number>();
          for (const row of rows)
            for (const value of namesOf(row, name)) counts.set(value, (counts.get(value) ?? 0) + 1);
          const ranged = kind !== 'choice';
          const shown = [...counts].filter(([value]) => !ranged || values || value === 'N/A');
          expect([
            name,
            Object.fromEntries((facets[name]?.values ?? []).map(({ value, count }) => [value, count])),
          ]).toEqual([name, Object.fromEntries(shown)]);
          if (!ranged) continue;
          const known = rows.map((row) => row[name]).filter((value) => !isEmpty(value)) as (
            | number
            | string
          )[];
          const sorted = known.toSorted((a, b) => (a < b ? -1 : 1));
          expect([name, facets[name]?.min, facets[name]?.max]).toEqual([
            name,
            sorted[0] ?? null,
            sorted.at(-1) ?? null,
          ]);
        }
      }),
      { ...sharp, numRuns: 40 },
    );
  });

  const sortable = Object.entries(fields as ListFields).flatMap(([name, field]) =>
    field.sortable === false ? [] : [name, `-${name}`],
  );

  it.each(sortable)(
    'sorted by %s has every row once by cursor and by page, empty values last',
    async (sort) => {
      const direction = sql.raw(sort.startsWith('-') ? 'desc' : 'asc');
      const column = sql.ref(columnOf(sort.replace('-', '')));
      const { rows } = await rowMaker(api, ada).inside((trx) =>
        sql<{ id: string }>`
        select id from ${sql.table(table)}
        order by (${column} is null or ${column}::text in ('', '{}')), ${column} ${direction}, id ${direction}`.execute(
          trx,
        ),
      );
      const wanted = rows.map((row) => row.id);
      const walked: string[] = [];
      let cursor: string | undefined;
      do {
        const step = await list(noun, { sort, pageSize: 7, cursor });
        expect(step.total).toBe(wanted.length);
        walked.push(...step.rows.map((row) => row._id));
        cursor = step.next ?? undefined;
      } while (cursor !== undefined);
      expect(walked).toEqual(wanted);
      const paged: string[] = [];
      for (let page = 1; page <= Math.ceil(wanted.length / 40); page += 1)
        paged.push(...(await list(noun, { sort, pageSize: 40, page })).rows.map((row) => row._id));
      expect(paged).toEqual(wanted);
    },
  );
});
