import { createTestDatabase, type TestDatabase } from '@riskboard/testing';
import { Client } from 'pg';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { ColumnArrays } from './column-arrays.ts';

let database: TestDatabase;
let client: Client;

beforeAll(async () => {
  database = await createTestDatabase();
  client = new Client({ connectionString: database.url });
  await client.connect();
});

afterAll(async () => {
  await client.end();
  await database.drop();
});

async function received(columns: ColumnArrays): Promise<unknown[][]> {
  const { rows } = await client.query({
    text: 'select * from unnest($1::int[], $2::text[]) as row (number, text)',
    values: columns.arrays(),
    rowMode: 'array',
  });
  return rows as unknown[][];
}

const texts = [
  'plain',
  '',
  'NULL',
  '{a,"b"}',
  String.raw`a \ backslash`,
  'two\nlines\tand a tab',
  'Zürich, 東京, 🔒',
  'x'.repeat(100_000),
];

it('sends numbers and texts as they are', async () => {
  const columns = new ColumnArrays(['int4', 'text']);
  const rows = texts.map((text, index) => [index === 0 ? -2_147_483_648 : index, text] as const);
  for (const row of rows) columns.add(...row);
  expect(await received(columns)).toEqual(rows);
});

it('sends a missing value as null', async () => {
  const columns = new ColumnArrays(['int4', 'text']);
  columns.add(1, null);
  columns.add(null, 'text');
  expect(await received(columns)).toEqual([
    [1, null],
    [null, 'text'],
  ]);
});

it('replaces half of a surrogate pair, which UTF-8 does not have', async () => {
  const columns = new ColumnArrays(['int4', 'text']);
  columns.add(1, 'half \uD83D of a pair');
  expect(await received(columns)).toEqual([[1, 'half \uFFFD of a pair']]);
});

it('is empty after its memory was returned, and collects new rows', async () => {
  const columns = new ColumnArrays(['int4', 'text']);
  expect(columns.length).toBe(0);
  columns.add(null, 'of the batch before');
  columns.arrays();
  columns.release();
  expect([columns.rows, columns.length]).toEqual([0, 0]);
  columns.add(2, 'of the next batch');
  expect(columns.rows).toBe(1);
  expect(await received(columns)).toEqual([[2, 'of the next batch']]);
});
