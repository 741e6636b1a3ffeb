import { type RawBuilder, sql } from 'kysely';
import { type Condition, ofOrganization } from './filter.ts';
import type { ListSource } from './source.ts';

type ByValue = Condition & Required<Pick<Condition, 'isValue'>>;

const isByValue = (condition: Condition): condition is ByValue => condition.isValue !== undefined;

/** The conditions by one value whose rows are found before a page is read. */
function valuesToFind({ columns }: ListSource, conditions: readonly Condition[]): ByValue[] {
  const values = conditions.filter(isByValue);
  // Few rows may have a text: reading these takes less time than merging them with all rows of a common value.
  const merged = values.filter(({ isValue }) => !isValue.isOfText);
  if (merged.length > 0 || conditions.length > 1) return merged;
  // The index of a compared column holds its rows in the order of the list.
  return values.filter(({ name }) => !columns[name]?.isCompared);
}

/**
 * The conditions of a request, with those by one value each (`Condition.isValue`) replaced by one that finds the rows of
 * all: it merges their indexes, which hold the rows of a value in the order of their ids, without reading a row (decision
 * 0056).
 */
export function mergeValues(source: ListSource, conditions: Condition[]): Condition[] {
  const { table } = source;
  const values = valuesToFind(source, conditions);
  if (table === undefined || values.length === 0) return conditions;
  const [first, ...others] = values.map(
    ({ isValue }) => sql`select r.id from ${sql.table(table)} r where ${ofOrganization} and ${isValue.isMet}`,
  );
  // OFFSET keeps PostgreSQL from making one scan of all conditions, which reads each row of one of them.
  const among = others.map((rows) => sql`and r.id in (${rows} order by r.id offset 0)`);
  const ids = (most: number | null): RawBuilder<unknown> =>
    sql`${first} ${sql.join(among, sql` `)} order by r.id limit ${most}`;
  const merged: Condition = {
    name: values.map(({ name }) => name).join('&'),
    isMet: sql`(${sql.join(
      values.map(({ isMet }) => isMet),
      sql` and `,
    )})`,
    isMerged: true,
    ids,
    find: (most) => sql`
      select count(*)::int as count, case when count(*) < ${most} then coalesce(array_agg(id), '{}') end as ids
      from (${ids(most)}) found`,
  };
  return [merged, ...conditions.filter((condition) => !values.some((value) => value === condition))];
}
