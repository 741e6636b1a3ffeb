import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';

const root = join(import.meta.dirname, '../../../..');
const read = (file: string): string => readFileSync(join(root, file), 'utf8');
const [, document = ''] = /^## Retention$(.*?)^## /msu.exec(read('docs/operations.md')) ?? [];
/** The rows of the table with the names of the tables in their last cell. */
const rows = [...document.matchAll(/^\| .* \| (.*?) \|$/gmu)].map(([text, cell = '']) => ({
  text,
  tables: [...cell.matchAll(/`(\w+)`/gu)].map(([, name = '']) => name),
}));

it('docs/operations.md says how long the rows are kept that workers delete each hour', () => {
  const deletions = [
    ...read('worker/src/housekeeping/delete-outdated-rows.ts').matchAll(/^ {2}(\w+): sql`(.*?)`,$/gmsu),
  ].map(([, table = '', statement = '']) => ({
    table,
    intervals: [...statement.matchAll(/interval '([^']+)'/gu)].map(([, interval = '']) => interval),
  }));
  expect(deletions.length).toBeGreaterThan(10);
  const missing = deletions.filter(
    ({ table, intervals }) =>
      !rows.some(
        ({ text, tables }) =>
          tables.includes(table) && intervals.every((interval) => text.includes(interval)),
      ),
  );
  expect(missing).toEqual([]);
  const listed = rows.flatMap(({ tables }) => tables).filter((table) => table !== 'batch');
  expect(listed.toSorted()).toEqual(deletions.map(({ table }) => table).toSorted());
});
