import { type RawBuilder, sql } from 'kysely';
import type { RecordTableName } from './assertions.ts';
import { reportColumns } from './report-columns.ts';

interface Taking {
  /** The row of the record. */
  record: string;
  /** SQL: what the reports say of a column. */
  reported: (column: string) => RawBuilder<unknown>;
  /** SQL: the columns that a person edited; those of the record unless others are given. */
  edited?: RawBuilder<unknown>;
}

type Values = Record<string, RawBuilder<unknown>>;

/**
 * The level that a person entered, else the one of the reports, else 4 x likelihood x impact of the record (contract, Scales).
 * A person who cleared the level of the reports has it derived: it counts as edited, and follows likelihood and impact too.
 */
function riskLevel({ record, reported, edited }: Required<Taking>, taken: Values): Values {
  const own = (column: string) => sql.ref(`${record}.${column}`);
  const isEdited = sql`'risk_level' = any (${edited})`;
  const isEntered = sql`${isEdited} and ${own('risk_level')} is not null and ${own('risk_level_source')} <> 'derived'`;
  const isStated = sql`not ${isEdited} and ${reported('risk_level')} is not null and ${reported('risk_level_source')} <> 'derived'`;
  const derived = sql`4 * (${taken['likelihood']}) * (${taken['impact']})`;
  const level = (column: string, otherwise: RawBuilder<unknown>) =>
    sql`case when ${isEntered} then ${own(column)} when ${isStated} then ${reported(column)} else ${otherwise} end`;
  return {
    risk_level: level('risk_level', derived),
    risk_level_source: level(
      'risk_level_source',
      sql`case when ${derived} is null then '' else 'derived' end`,
    ),
  };
}

/** The severity that a person entered, else the CVSS score of the record (contract, Severity). */
const severity = ({ record, edited }: Required<Taking>, taken: Values): Values => ({
  severity: sql`case when 'severity' = any (${edited}) then ${sql.ref(`${record}.severity`)} else ${taken['cvss_score']} end`,
});

interface Following {
  columns: readonly string[];
  valuesOf: (taking: Required<Taking>, taken: Values) => Values;
}

/** Columns that follow other columns of the record while no person has entered them. */
const following: Record<RecordTableName, Following> = {
  vulnerability: { columns: ['severity'], valuesOf: severity },
  threat: { columns: ['risk_level', 'risk_level_source'], valuesOf: riskLevel },
};

/** Whether a column follows other columns of the record. */
export const isFollowing = (table: RecordTableName, column: string): boolean =>
  following[table].columns.includes(column);

/**
 * The values of a record that takes what the reports say, by column: fields that a person edited are kept, and columns that
 * follow others follow the values that the record then has.
 */
export function valuesTaken(table: RecordTableName, taking: Taking): Values {
  const { record, reported, edited = sql.ref(`${record}.edited_fields`) } = taking;
  const taken = Object.fromEntries(
    Object.keys(reportColumns[table]).map((column) => [
      column,
      sql`case when ${sql.lit(column)} = any (${edited}) then ${sql.ref(`${record}.${column}`)} else ${reported(column)} end`,
    ]),
  );
  return { ...taken, ...following[table].valuesOf({ record, reported, edited }, taken) };
}
