import { createEmptyDatabase, createTestDatabase, withClient } from '@riskboard/testing';

export interface TestDatabases {
  /** Migrated. */
  source: { url: string; adminUrl: string };
  /** Empty, of the same owner. */
  target: { url: string; adminUrl: string };
  drop(): Promise<void>;
}

/** A database with data to back up, and an empty one to restore into. */
export async function makeDatabases(): Promise<TestDatabases> {
  const source = await createTestDatabase();
  const target = await createEmptyDatabase();
  return {
    source,
    target,
    async drop() {
      await target.drop();
      await source.drop();
    },
  };
}

/** Number of rows of each table and a hash over all of them, as an administrator sees them. */
export function contentOf(adminUrl: string): Promise<Record<string, string>> {
  return withClient(adminUrl, async (admin) => {
    const { rows: tables } = await admin.query<{ name: string }>(
      `select relname as name from pg_class
       where relkind = 'r' and relnamespace = 'public'::regnamespace and relname not like 'kysely%' order by 1`,
    );
    const content: Record<string, string> = {};
    for (const { name } of tables) {
      const { rows } = await admin.query<{ content: string }>(
        `select count(*) || ' ' || coalesce(md5(string_agg(t::text, ',' order by t::text collate "C")), '') as content from ${name} t`,
      );
      content[name] = rows[0]?.content ?? '';
    }
    return content;
  });
}

/** Two organizations with rows of every type of column: bytes, arrays, JSON, generated and identity columns. */
export async function fillDatabase(adminUrl: string): Promise<void> {
  await withClient(adminUrl, async (admin) => {
    for (let n = 1; n <= 2; n += 1) {
      const id = `019a0000-0000-7000-8000-00000000000${n}`;
      await admin.query(`insert into organization (organization_id, name) values ($1, $2)`, [
        id,
        `Quay ${n}`,
      ]);
      await admin.query(
        `insert into account (id, email, password_hash, first_name) values ($1, $2, 'hash', 'Ada')`,
        [id, `ada${n}@example.org`],
      );
      await admin.query(
        `insert into membership (organization_id, account_id, role) values ($1, $1, 'owner')`,
        [id],
      );
      await admin.query(
        `insert into vulnerability (organization_id, id, name, cwe, details)
         select $1, gen_random_uuid(), 'Overflow ' || n || ' with "quotes", \\ and ü', '{CWE-79,CWE-89}', '{"a": [1, null]}'
         from generate_series(1, 500) n`,
        [id],
      );
      await admin.query(`insert into file_content (organization_id, id, complete) values ($1, $1, true)`, [
        id,
      ]);
      for (let part = 0; part < 3; part += 1)
        await admin.query(
          `insert into file_chunk (organization_id, content_id, n, data)
           select $1, $1, $2::integer, decode(string_agg(md5(n::text || $2::integer), ''), 'hex') from generate_series(1, 15000) n`,
          [id, part],
        );
      await admin.query(
        `insert into job (organization_id, id, kind, payload, state) values ($1, $1, 'metrics.recompute', '{}', 'queued')`,
        [id],
      );
    }
  });
}
