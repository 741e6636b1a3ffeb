import type pg from 'pg';

/** Statements that bring the schema back into force after the rows are loaded. */
type Restoring = string[];

const statements = async (
  client: pg.ClientBase,
  query: string,
): Promise<[drop: string, create: string][]> => {
  const { rows } = await client.query<{ drop: string; create: string }>(query);
  return rows.map((row) => [row.drop, row.create]);
};

const foreignKeys = `
  select format('alter table %s drop constraint %I', conrelid::regclass, conname) as drop,
    format('alter table %s add constraint %I %s', conrelid::regclass, conname, pg_get_constraintdef(oid)) as create
  from pg_constraint where contype = 'f' and connamespace = 'public'::regnamespace order by 1`;

/** References that triggers keep instead of foreign keys (decision 0047), in schemas that have them. */
const recordReferences = `
  select 'select' as drop, 'select check_record_references()' as create
  from pg_proc where proname = 'check_record_references' and pronamespace = 'public'::regnamespace`;

/** Indexes of primary keys and unique constraints stay: their constraints would have to be dropped. */
const indexes = `
  select format('drop index %s', i.indexrelid::regclass) as drop, pg_get_indexdef(i.indexrelid) as create
  from pg_index i join pg_class c on c.oid = i.indexrelid
  where c.relnamespace = 'public'::regnamespace
    and not exists (select from pg_constraint k where k.conindid = i.indexrelid and k.contype in ('p', 'u', 'x'))
  order by 1`;

/** Triggers calculate what the rows of the backup contain already. */
const triggers = `
  select distinct format('alter table %s disable trigger user', tgrelid::regclass) as drop,
    format('alter table %s enable trigger user', tgrelid::regclass) as create
  from pg_trigger t join pg_class c on c.oid = t.tgrelid
  where c.relnamespace = 'public'::regnamespace and not t.tgisinternal order by 1`;

/** COPY writes no table whose policies hold for its owner. */
const forcedSecurity = `
  select format('alter table %s no force row level security', oid::regclass) as drop,
    format('alter table %s force row level security', oid::regclass) as create
  from pg_class where relnamespace = 'public'::regnamespace and relforcerowsecurity order by 1`;

/**
 * Removes what would refuse, change or slow down the loading of rows in any order, within the transaction of the restore.
 * @returns the statements that restore it, in order; all references are then checked for all rows
 */
export async function relaxSchema(client: pg.ClientBase): Promise<Restoring> {
  const restoring: Restoring = [];
  // Foreign keys may rest on unique indexes, so they are dropped first and created after the indexes.
  for (const query of [forcedSecurity, triggers, recordReferences, foreignKeys, indexes]) {
    const found = await statements(client, query);
    for (const [drop] of found) await client.query(drop);
    restoring.unshift(...found.map(([, create]) => create));
  }
  return restoring;
}
