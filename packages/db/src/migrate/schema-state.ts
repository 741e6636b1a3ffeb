import { migrations } from '@riskboard/migrations';
import { sql } from 'kysely';
import type { Database } from '../connection/client.ts';
import { UnsuitableDatabase } from './unsuitable-database.ts';

/** How the schema of a database differs from that of this program. */
export interface SchemaState {
  /** Migrations that the database lacks, in order. */
  missing: string[];
  /** Migrations of a newer version. */
  unknown: string[];
}

/** Compares the names of the applied migrations with those of this program. */
export async function compareSchema(applied: readonly string[]): Promise<SchemaState> {
  const all = Object.keys(await migrations.getMigrations());
  return {
    missing: all.filter((name) => !applied.includes(name)),
    unknown: applied.filter((name) => !all.includes(name)),
  };
}

/** SQLSTATE insufficient_privilege, undefined_table: migrated by no version, or by one that did not grant this. */
const isOlder = (error: unknown): boolean =>
  ['42501', '42P01'].includes(String((error as { code?: unknown }).code));

/** As the api and the workers may read it. @throws when the database does not answer */
export async function readSchemaState({ system }: Pick<Database, 'system'>): Promise<SchemaState> {
  try {
    const { rows } = await sql<{ name: string }>`select name from kysely_migration order by name`.execute(
      system,
    );
    return await compareSchema(rows.map(({ name }) => name));
  } catch (error) {
    if (!isOlder(error)) throw error;
    return compareSchema([]);
  }
}

const named = (names: readonly string[]): string =>
  names.length === 1 ? `${names[0]}` : `${names.length} migrations, the last is ${names.at(-1)}`;

/** Why this program cannot use the schema yet; undefined when it can. */
export const schemaProblem = ({ missing }: SchemaState): string | undefined =>
  missing.length === 0
    ? undefined
    : `the schema is older than this program (missing: ${named(missing)}): run the migration`;

/** Why an operator should restart this program; undefined when the schema is its own. */
export const schemaWarning = ({ unknown }: SchemaState): string | undefined =>
  unknown.length === 0
    ? undefined
    : `the schema is newer than this program (${named(unknown)}): restart it with the version that migrated`;

/** The database has migrations that this program does not know: it must not change the schema. */
export class NewerSchema extends UnsuitableDatabase {
  constructor(unknown: readonly string[]) {
    super(
      `The database was migrated by a newer version of Riskboard (${named(unknown)}). Start that version, or restore a backup that this version made.`,
    );
    this.name = 'NewerSchema';
  }
}
