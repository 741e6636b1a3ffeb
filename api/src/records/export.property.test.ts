import { fiveLevels, guardFormula } from '@riskboard/domain';
import { threatList } from '@riskboard/contract';
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

/** Rows and cells of a CSV text, quoted or not (RFC 4180, 2), written without the library that wrote it. */
function parse(text: string): string[][] {
  const rows: string[][] = [];
  let row: string[] = [];
  let at = 0;
  while (at < text.length) {
    const cell = /"((?:[^"]|"")*)"([,\n])|([^",\r\n]*)([,\n])/uy;
    cell.lastIndex = at;
    const found = cell.exec(text);
    if (!found) throw new Error(`No cell at ${at}: ${JSON.stringify(text.slice(at, at + 40))}`);
    const [whole, quoted, quotedEnd, bare, bareEnd] = found;
    row.push(quoted === undefined ? (bare ?? '') : quoted.replaceAll('""', '"'));
    if ((quotedEnd ?? bareEnd) === '\n') {
      rows.push(row);
      row = [];
    }
    at += whole.length;
  }
  expect(row).toEqual([]);
  return rows;
}

/** Texts of users and reports, and characters that spreadsheets misinterpret. */
const texts = fc.string({
  unit: fc.constantFrom('a', 'ä', '😀', ' ', '"', "'", ',', ';', '\n', '\r', '\t', '=', '+', '-', '@', '＝'),
  minLength: 1,
  maxLength: 6,
});
const threats = fc.array(
  fc.record({
    name: texts,
    threat_id: fc.oneof(fc.constant(''), texts),
    threat_category: fc.oneof(fc.constant(''), texts),
    risk_level: fc.constantFrom(null, 0, 30, 60.5, 100),
    likelihood: fc.constantFrom(null, 1, 5),
    is_active: fc.boolean(),
    created_at: fc.constantFrom('2026-01-02T03:04:05.678901Z', '0001-01-01T00:00:00Z'),
  }),
  { minLength: 30, maxLength: 30 },
);

const shown = ['name', 'threatID', 'threatCategory', 'riskLevel', 'likelihood', 'isActive', 'createdAt'];

/** The text of a cell before it is guarded (packages/domain/src/csv/cell-text.test.ts). */
const cellOf = (value: unknown): string => {
  if (value === null) return '';
  return typeof value === 'string' ? guardFormula(value) : JSON.stringify(value);
};

it('an export parsed as CSV equals the rows of the list in order, for any content', async () => {
  const [made = []] = fc.sample(threats, { seed: 20_261_121, numRuns: 1 });
  await rowMaker(api, ada).make('threat', made);
  for (const sort of ['name', '-threatID', 'threatCategory', '-riskLevel', 'isActive', 'createdAt']) {
    const { threats: listed } = (await ada.get(`/api/threats?pageSize=500&sort=${sort}`)).json<{
      threats: Record<string, unknown>[];
    }>();
    const rows = listed.map((row) => shown.map((column) => row[column]));
    const query = `columns=${shown.join(',')}&sort=${sort}`;
    const csv = (await ada.get(`/api/threats/export?${query}`)).body;
    expect(csv.startsWith('\u{FEFF}')).toBe(true);
    const [head, ...cells] = parse(csv.slice(1));
    expect(head).toEqual([
      'Name',
      'Threat ID',
      'Category',
      'Risk Level',
      'Likelihood',
      'Active',
      'Created At',
    ]);
    const labelOf = (value: unknown, n: number) =>
      shown[n] === 'likelihood' && value !== null ? fiveLevels[value as keyof typeof fiveLevels] : value;
    expect(cells).toEqual(rows.map((row) => row.map(labelOf).map(cellOf)));
    const objects = (await ada.get(`/api/threats/export?format=json&${query}`)).json<unknown>();
    expect(objects).toEqual(
      listed.map((row) => Object.fromEntries(shown.map((column) => [column, row[column]]))),
    );
  }
  expect(made.some(({ name }) => /["\n\r]/u.test(name) && /^[=+\-@]/u.test(name))).toBe(true);
});

it.each(['', '&columns='])('an export that names no column%s has all', async (query) => {
  const csv = (await ada.get(`/api/threats/export?search=nothing${query}`)).body;
  expect(parse(csv.slice(1))).toEqual([
    [
      ...Object.values(threatList.fields).map(({ label }) => label),
      'Description',
      'Source',
      'Motivation description',
      'Capability description',
      'Likelihood description',
      'Impact description',
      'Compensating Controls',
      'Reference',
      'Related assets',
    ],
  ]);
});
