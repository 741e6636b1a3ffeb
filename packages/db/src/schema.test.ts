import { readFile } from 'node:fs/promises';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type OpenDatabase, openClone } from './test/open.ts';

/** What a column's type in schema.ts may be, by its type in the database. */
const written: Record<string, RegExp> = {
  uuid: /^string$/u,
  text: /^(?:string|Generated<string>|Generated<('[\w-]+'( \| )?)+>|('[\w.-]+'( \| )?)+|ColumnType<string, never, never>)$/u,
  citext: /^string$/u,
  int4: /^(?:number|Generated<number>)$/u,
  int8: /^(?:number|Generated<number>)$/u,
  float8: /^(?:number|Generated<number>)$/u,
  numeric: /^(?:number|Generated<number>)$/u,
  bool: /^(?:boolean|Generated<boolean>)$/u,
  bytea: /^Buffer$/u,
  jsonb: /^(?:Nullable)?Json<.+>$/u,
  date: /^Day$/u,
  timestamptz: /^(?:Time|DefaultTime|NullableTime)$/u,
  _text: /^(?:string\[\]|Generated<string\[\]>)$/u,
};

interface Column {
  table: string;
  column: string;
  type: string;
  nullable: boolean;
  defaulted: boolean;
}

let database: OpenDatabase;
let live: Column[];
let declared: Map<string, Map<string, string>>;
beforeAll(async () => {
  database = await openClone();
  const client = new pg.Client({ connectionString: database.clone.url });
  await client.connect();
  const { rows } = await client.query<Column>(
    `select table_name as table, column_name as column, udt_name as type, is_nullable = 'YES' as nullable,
       column_default is not null or is_generated = 'ALWAYS' as defaulted
     from information_schema.columns where table_schema = 'public' and table_name not like 'kysely%'
     order by table_name, ordinal_position`,
  );
  await client.end();
  live = rows;
  declared = readSchema(await readFile(new URL('schema.ts', import.meta.url), 'utf8'));
});
afterAll(() => database.end());

/** The interfaces of schema.ts as tables of columns: types are gone when the program runs, so the text is read. */
function readSchema(source: string): Map<string, Map<string, string>> {
  const interfaces = new Map<string, Map<string, string>>();
  for (const [, name = '', parent, body = ''] of source.matchAll(
    /interface (\w+)(?: extends (\w+))? \{\n(.*?)\n\}/gsu,
  )) {
    const own = [...body.matchAll(/^ {2}(\w+): (.+);$/gmu)].map(
      ([, column = '', type = '']) => [column, type] as const,
    );
    interfaces.set(name, new Map([...(interfaces.get(parent ?? '') ?? []), ...own]));
  }
  const tables = interfaces.get('Schema') ?? new Map<string, string>();
  return new Map(
    [...tables].map(([table, type]) => [table, interfaces.get(type) ?? new Map<string, string>()]),
  );
}

describe('schema.ts', () => {
  it('has exactly the tables and columns of the live database', () => {
    const names = (table: string) =>
      live
        .filter((row) => row.table === table)
        .map((row) => row.column)
        .toSorted();
    const tables = [...new Set(live.map((row) => row.table))];
    expect([...declared.keys()].toSorted()).toEqual(tables);
    expect(live.length).toBeGreaterThan(150);
    for (const [table, columns] of declared)
      expect([table, [...columns.keys()].toSorted()]).toEqual([table, names(table)]);
  });

  it('has a matching type for every column, nullable where the column is', () => {
    const wrong = live.flatMap(({ table, column, type, nullable, defaulted }) => {
      const shown = declared.get(table)?.get(column) ?? '';
      const mayBeNull = shown.endsWith('| null') || shown.startsWith('Nullable');
      const bare = shown.replace(/ \| null$/u, '');
      const mayBeAbsent = /^(?:Generated|DefaultTime|NullableTime|Json|NullableJson|ColumnType)/u.test(bare);
      const problems = [
        written[type]?.test(bare) ? '' : `${type} is written ${shown}`,
        mayBeNull === nullable ? '' : `nullable ${nullable}`,
        defaulted && !mayBeAbsent && !nullable ? 'has a default and must be given' : '',
      ].filter(Boolean);
      return problems.map((problem) => `${table}.${column}: ${problem}`);
    });
    expect(wrong).toEqual([]);
  });
});
