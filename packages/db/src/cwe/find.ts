import type { Cwe } from '@riskboard/contract';
import type { Database } from '../connection/client.ts';
import type { CweEntry } from './record.ts';

/** A weakness by its number, its related ones with their names; undefined when it is not in the table. */
export async function findCwe(database: Database, id: number): Promise<Cwe | undefined> {
  const row = await database.app.selectFrom('cwe').selectAll().where('id', '=', id).executeTakeFirst();
  if (row === undefined) return undefined;
  const names = await namesOf(
    database,
    row.data.Weaknesses.map(({ ID }) => Number(ID)),
  );
  return {
    ID: String(row.id),
    Name: row.name,
    ...row.data,
    url: `https://cwe.mitre.org/data/definitions/${row.id}.html`,
    Weaknesses: row.data.Weaknesses.map(({ ID, Nature }) => ({
      ID,
      Name: names.get(Number(ID)) ?? '',
      Nature,
    })),
    source: row.source,
  };
}

async function namesOf(database: Database, ids: number[]): Promise<Map<number, string>> {
  if (ids.length === 0) return new Map();
  const rows = await database.app.selectFrom('cwe').select(['id', 'name']).where('id', 'in', ids).execute();
  return new Map(rows.map(({ id, name }) => [id, name]));
}

/** Stores an entry of the CWE REST API, unless the catalogue has it. */
export async function keepCwe(database: Database, { id, data: { Name, ...data } }: CweEntry): Promise<void> {
  await database.system
    .insertInto('cwe')
    .values({ id, name: Name, data: JSON.stringify(data), source: 'CWE REST API' })
    .onConflict((conflict) => conflict.column('id').doNothing())
    .execute();
}
