import { databaseRoles } from '@riskboard/db';
import { migrations } from '@riskboard/migrations';
import type pg from 'pg';
import { BackupError } from '../backup-error.ts';
import type { Header } from '../file/content.ts';

/** @throws BackupError when this program does not know the schema of the backup */
export async function requireKnownSchema({ version, migrations: applied }: Header): Promise<void> {
  const known = Object.keys(await migrations.getMigrations());
  if (applied.every((name, n) => name === known[n])) return;
  const unknown = applied.find((name, n) => name !== known[n]);
  throw new BackupError(
    `The backup was made by Riskboard ${version} with the migration ${unknown}, which this version does not have. Restore it with that version of Riskboard, or a newer one.`,
  );
}

/** @throws BackupError when other processes use the database: they would see it change, or keep the restore waiting */
export async function requireUnused(client: pg.ClientBase): Promise<void> {
  const { rows } = await client.query<{ login: string; connections: number }>(
    `select usename as login, count(*)::int as connections from pg_stat_activity
     where datname = current_database() and pid <> pg_backend_pid() and usename is not null group by 1 order by 1`,
  );
  if (rows.length === 0) return;
  const users = rows.map(({ login, connections }) => `${login}: ${connections}`).join(', ');
  throw new BackupError(
    `The database is in use (connections of ${users}). Stop every api and worker, and close other connections, then run the restore again.`,
  );
}

/** Whether the database has no organization and no account: fresh, or only migrated. */
export async function isEmpty(client: pg.ClientBase): Promise<boolean> {
  const { rows } = await client.query<{ present: boolean }>(
    `select to_regclass('public.organization') is not null and to_regclass('public.account') is not null as present`,
  );
  if (rows[0]?.present !== true) return !(await hasTables(client));
  await client.query('begin');
  try {
    // Row-level security would hide the rows from the owner.
    await client.query(`set local role ${databaseRoles.system}`);
    const { rows: found } = await client.query<{ empty: boolean }>(
      'select not exists (select from organization) and not exists (select from account) as empty',
    );
    return found[0]?.empty ?? false;
  } catch {
    return false;
  } finally {
    await client.query('rollback');
  }
}

async function hasTables(client: pg.ClientBase): Promise<boolean> {
  const { rows } = await client.query<{ any: boolean }>(
    `select exists (select from pg_class where relnamespace = 'public'::regnamespace and relkind in ('r', 'p')) as any`,
  );
  return rows[0]?.any ?? true;
}

const notOfExtension = (catalogue: string, id: string): string =>
  `not exists (select from pg_depend d where d.classid = '${catalogue}'::regclass and d.objid = ${id} and d.deptype = 'e')`;

/** Drops all tables and functions of the schema, and the queue, whose messages belong to the former rows. */
export async function dropEverything(client: pg.ClientBase): Promise<void> {
  await client.query('drop schema if exists bullmq cascade');
  const { rows } = await client.query<{ drop: string }>(
    `select format('drop table if exists %s cascade', c.oid::regclass) as drop, 1 as rank from pg_class c
       where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and ${notOfExtension('pg_class', 'c.oid')}
     union all
     select format('drop routine if exists %s cascade', p.oid::regprocedure), 2 from pg_proc p
       where p.pronamespace = 'public'::regnamespace and p.prokind in ('f', 'p') and ${notOfExtension('pg_proc', 'p.oid')}
     order by rank, drop`,
  );
  for (const { drop } of rows) await client.query(drop);
}
