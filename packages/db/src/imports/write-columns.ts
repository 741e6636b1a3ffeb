import {
  type Field,
  importableFields,
  importEntity,
  type ImportNoun,
  importTables,
} from '@riskboard/contract';
import { lineExpressions } from '@riskboard/domain';
import { type RawBuilder, sql } from 'kysely';
import { columnTypes } from '../lists/entity-source.ts';

/** Of which records, from which columns, and how existing ones are found. */
export interface ImportRun {
  noun: ImportNoun;
  /** Names of the fields that have a column in the file. */
  fields: readonly string[];
  /** The field that finds an existing record. */
  key: string;
  /** Project of new assets, where no column names it. */
  projectId: string | null;
}

export const tableOf = ({ noun }: Pick<ImportRun, 'noun'>): 'asset' | 'vulnerability' => importTables[noun];

/** A column of the entity's table that the import writes: in terms of the staged row `s` and the existing one `r`. */
export interface WriteColumn {
  name: string;
  type: string;
  /** Its value after an update. */
  next: RawBuilder<unknown>;
  /** Its value in a new record. */
  created: RawBuilder<unknown>;
}

/** What the schemas of the API trim (String.prototype.trim). */
const blanks =
  ' \t\n\v\f\r\u00a0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a\u2028\u2029\u202f\u205f\u3000\ufeff';

type ColumnField = Exclude<Field, { type: 'relations' }>;

/** A text as the schemas of the API read it: reports and older versions stored other spellings. */
function asRead(text: RawBuilder<unknown>, type: ColumnField['type']): RawBuilder<unknown> {
  const { removed, blanks: spaces } = lineExpressions;
  const line = sql`regexp_replace(regexp_replace(${text}, ${removed}, '', 'g'), ${spaces}, ' ', 'g')`;
  return sql`btrim(normalize(${type === 'text' ? line : text}, NFC), ${blanks})`;
}

const keptNumber = (now: RawBuilder<unknown>, value: RawBuilder<unknown>): RawBuilder<unknown> =>
  sql`case when ${now}::float8 = ${value}::float8 then ${now} else ${value} end`;

/** A value that differs only in what a CSV file cannot carry, or what reading it changes, keeps its spelling in the database. */
function kept(name: string, type: ColumnField['type'], value: RawBuilder<unknown>): RawBuilder<unknown> {
  const now = sql.ref(`r.${name}`);
  if (columnTypes[type] === 'numeric') return keptNumber(now, value);
  if (columnTypes[type] !== 'text') return value;
  return sql`case when btrim(${now}, ${blanks}) = ${value} or ${asRead(now, type)} = ${value} then ${now} else ${value} end`;
}

function columnOf(name: string, field: ColumnField, clearable: boolean): WriteColumn {
  const type = columnTypes[field.type];
  const staged = sql.ref(`s.${name}`);
  const value = kept(name, field.type, staged);
  const standard = 'default' in field && field.default !== undefined ? sql.lit(field.default) : undefined;
  return {
    name,
    type,
    next: clearable ? value : sql`case when ${staged} is null then ${sql.ref(`r.${name}`)} else ${value} end`,
    created: standard ? sql`coalesce(${staged}, ${standard})` : staged,
  };
}

/**
 * The columns of CVSS belong together: a vector decides score and version, also one that the record has already; the
 * same vector as before leaves all three as a report brought them.
 */
function cvssColumns(columns: readonly WriteColumn[]): WriteColumn[] {
  const vector = columns.find(({ name }) => name === 'cvss_vector');
  const score = columns.find(({ name }) => name === 'cvss_score');
  if (!vector && !score) return [...columns];
  const rest = columns.filter((column) => column !== score);
  const after = vector ? vector.next : sql.ref('r.cvss_vector');
  const isSame = sql`(${after} <> '' and ${after} = r.cvss_vector)`;
  const entered = score
    ? sql`s.cvss_score`
    : sql`case when s.cvss_vector <> '' then s.cvss_score else r.cvss_score end`;
  const scored: WriteColumn = {
    name: 'cvss_score',
    type: 'numeric',
    next: sql`case when ${isSame} then r.cvss_score else ${score ? keptNumber(sql.ref('r.cvss_score'), entered) : entered} end`,
    created: sql`s.cvss_score`,
  };
  if (!vector) return [...rest, scored];
  const version: WriteColumn = {
    name: 'cvss_version',
    type: 'text',
    next: sql`case when ${after} = r.cvss_vector then r.cvss_version else s.cvss_version end`,
    created: sql`coalesce(s.cvss_version, '')`,
  };
  return [...rest, scored, version];
}

/** With the severity, which is the score of a record of reports until a person enters one (contract, Severity). */
function withSeverity(columns: readonly WriteColumn[]): WriteColumn[] {
  const score = columns.find(({ name }) => name === 'cvss_score');
  if (!score) return [...columns];
  const entered = columns.find(({ name }) => name === 'severity');
  const own = sql.ref('r.severity');
  const next = entered?.next ?? own;
  const follows = sql`r.key is not null and not 'severity' = any (r.edited_fields)
    and ${next} is not distinct from ${own} and ${score.next} is distinct from r.cvss_score`;
  const severity: WriteColumn = {
    name: 'severity',
    type: 'numeric',
    next: sql`case when ${follows} then ${score.next} else ${next} end`,
    created: entered ? sql`coalesce(${entered.created}, ${score.created})` : score.created,
  };
  return [...columns.filter((column) => column !== entered), severity];
}

/** The columns that an import writes, in addition to relations. */
export function writeColumns({ noun, fields }: Pick<ImportRun, 'noun' | 'fields'>): WriteColumn[] {
  const all = importEntity(noun).fields;
  const columns = importableFields(noun).flatMap(({ field: name, clearable }) => {
    const field = all[name];
    if (!field || !fields.includes(name) || field.column === null) return [];
    if (field.type === 'id' || field.type === 'relations') return [];
    return [columnOf(field.column, field, clearable)];
  });
  return noun === 'vulnerabilities' ? withSeverity(cvssColumns(columns)) : columns;
}

/** The value of a column after a row is written, in terms of the staged row `s` and the existing record `r`. */
export function valueAfter(run: ImportRun, name: string): RawBuilder<unknown> {
  const column = writeColumns(run).find((one) => one.name === name);
  return column
    ? sql`case when r.id is null then ${column.created} else ${column.next} end`
    : sql.ref(`r.${name}`);
}

/** Column of the key. */
export const keyColumn = ({ noun, key }: Pick<ImportRun, 'noun' | 'key'>): string =>
  importEntity(noun).fields[key]?.column ?? 'name';

/** The columns of the fields that users enter, with their labels: those that an import or an edit may have written. */
export function enteredColumns(noun: ImportNoun): { name: string; label: string }[] {
  const fields = Object.values(importEntity(noun).fields).flatMap(({ form, column, label }) =>
    form && column !== null ? [{ name: column, label }] : [],
  );
  return noun === 'assets' ? fields : [...fields, { name: 'cvss_version', label: 'CVSS version' }];
}

/** Digest of all that users enter in a record, except relations: an undo finds by it whether a created one was changed. */
export const digestOf = (noun: ImportNoun, record: string): RawBuilder<string> =>
  sql<string>`md5(jsonb_build_array(${sql.join(
    enteredColumns(noun).map(({ name }) => sql.ref(`${record}.${name}`)),
  )})::text)`;
