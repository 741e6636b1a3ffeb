import { sql } from 'kysely';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { openDatabase } from './connection/client.ts';
import { databaseRoles } from './connection/roles.ts';
import { newId } from './new-id.ts';
import { makeFile, makeOrganization } from './testing/organization.ts';
import { type OpenDatabase, openClone } from './testing/open.ts';
import { withOrganization, withOrganizationConnection } from './with-organization.ts';

/** Tables without an organization. All others are read from the system catalogue, so that a new table is checked too. */
const shared = new Set([
  'account',
  'backup_status',
  // Shared catalogues, and uploaded ones: see cwe/catalogues.test.ts.
  'cwe_catalogue',
  'cwe_entry',
  'cwe_lookup',
  'email_change',
  'kysely_migration',
  'kysely_migration_lock',
  'login_failure',
  'outgoing_mail',
  'password_reset',
  'recovery_code',
  'reset_request',
  'rotated_secret',
  'second_factor_failure',
]);

let database: OpenDatabase;
let admin: pg.Client;
let tables: string[];
let mine: string;
let theirs: string;

const ask = async <T extends pg.QueryResultRow>(text: string, values: unknown[] = []): Promise<T[]> =>
  (await admin.query<T>(text, values)).rows;

beforeAll(async () => {
  database = await openClone();
  admin = new pg.Client({ connectionString: database.clone.adminUrl });
  await admin.connect();
  const rows = await ask<{ name: string }>(
    `select relname as name from pg_class where relkind in ('r', 'p') and relnamespace = 'public'::regnamespace order by 1`,
  );
  tables = rows.map((row) => row.name).filter((name) => !shared.has(name));
  [mine, theirs] = [await makeOrganization(database), await makeOrganization(database)];
  for (const organizationId of [mine, theirs]) await fill(organizationId);
});
afterAll(async () => {
  await admin.end();
  await database.end();
});

/** Inserts at least one row into every table of the organization, as an administrator. */
async function fill(organizationId: string): Promise<void> {
  const { fileId } = await makeFile(database, organizationId, { name: 'a', keys: ['A'] });
  await makeFile(database, organizationId, { name: 'b', keys: ['T'], table: 'threat' });
  const account = newId();
  await admin.query(
    `insert into account (id, email, password_hash, first_name) values ($1, $2, 'x', 'Ada')`,
    [account, `${account}@example.org`],
  );
  const [project, door, server] = [newId(), newId(), newId()];
  for (const [text, values] of [
    [`membership (organization_id, account_id, role) values ($1, $2, 'owner')`, [account]],
    [
      `session (organization_id, account_id, id, refresh_hash, expires_at) values ($1, $2, $3, '', now())`,
      [account, newId()],
    ],
    [`removed_session (organization_id, session_id) values ($1, $2)`, [newId()]],
    [
      `invitation (organization_id, id, email, role, link_hash, expires_at) values ($1, $2, 'i@example.org', 'viewer', uuid_send($2), now())`,
      [newId()],
    ],
    [
      `api_token (organization_id, account_id, id, name, role, token_hash, hint, expires_at) values ($1, $2, $3, 'x', 'viewer', uuid_send($3), '', now())`,
      [account, newId()],
    ],
    [`activity (organization_id, id, action, noun) values ($1, $2, 'x', 'x')`, [newId()]],
    [`batch (organization_id, id, name) values ($1, $2, 'May')`, [newId()]],
    [
      `batch_file (organization_id, id, batch_id, name, size, state) select organization_id, $2, id, 'a.json', 1, 'queued' from batch where organization_id = $1`,
      [newId()],
    ],
    [
      `batch_attempt (organization_id, job_id, attempt, batch_file_id, step, started_at) select organization_id, id, 1, id, 'read', now() from batch_file where organization_id = $1`,
      [],
    ],
    [`job (organization_id, id, kind, payload) values ($1, $2, 'stix.parse', '{}')`, [newId()]],
    [
      `file_chunk (organization_id, content_id, n, data) select organization_id, id, 0, '' from file_content where organization_id = $1 limit 1`,
      [],
    ],
    [
      `report_object (organization_id, file_id, reading, ordinal, outcome, type, location, reason) values ($1, $2, gen_random_uuid(), 9, 'failed', '', '', '')`,
      [fileId],
    ],
    [
      `report_object_group (organization_id, file_id, reading, first_ordinal, ordinals, outcomes, types, stix_ids, locations, reasons)
        values ($1, $2, gen_random_uuid(), 9, '{9}', '{failed}', '{x}', '{NULL}', '{l}', '{r}')`,
      [fileId],
    ],
    [
      `report_relation (organization_id, file_id, reading, ordinal, n, type, source_id, target_id) values ($1, $2, gen_random_uuid(), 9, 0, '', '', '')`,
      [fileId],
    ],
    [`project (organization_id, id, name, start_date) values ($1, $2, 'p', now())`, [project]],
    [
      `asset (organization_id, project_id, id, name, asset_type_id) values ($1, $2, $3, 'door', 1), ($1, $2, $4, 'server', 2)`,
      [project, door, server],
    ],
    [`asset_relation (organization_id, asset_id, related_id) values ($1, $2, $3)`, [door, server]],
    [
      `vulnerability_asset (organization_id, asset_id, vulnerability_id) select organization_id, $2, id from vulnerability where organization_id = $1`,
      [door],
    ],
    [
      `threat_asset (organization_id, asset_id, threat_id) select organization_id, $2, id from threat where organization_id = $1`,
      [door],
    ],
    [
      `vignette (organization_id, id, name, scorecard_name, rated_cells) values ($1, $2, 'shop', 'shop', 1)`,
      [newId()],
    ],
    [
      `vignette_version (organization_id, vignette_id, version, content) select organization_id, id, 1, '{}' from vignette where organization_id = $1`,
      [],
    ],
    [
      `cwss_score (organization_id, vulnerability_id, version, cause, score, raw, vector, vignette_id, vignette_name, vignette_version, catalogue_version, formula_version, inputs) values ($1, $2, 1, 'calculated', 1, 1, '', $2, '', 1, '', '', '{}')`,
      [newId()],
    ],
    [
      `cwss_override (organization_id, vulnerability_id, factor, code, weight, reason) values ($1, $2, 'EC', 'N', 1, 'x')`,
      [newId()],
    ],
    [`asset_score_day (organization_id, day) values ($1, '2026-11-21')`, []],
    [
      `overview_day (organization_id, day, measure, bucket, cause, count, sum) values ($1, '2026-11-21', 'threats', '', 'found', 1, 0)`,
      [],
    ],
    [`overview_total (organization_id, measure, bucket, count, sum) values ($1, 'threats', '', 1, 0)`, []],
    [
      `overview_snapshot (organization_id, day, totals, formula_version, taken_at) values ($1, '2026-11-21', '{}', '', now())`,
      [],
    ],
    [`overview_week (organization_id, week, fixed, p50, p95) values ($1, '2026-11-16', 1, 1, 1)`, []],
    [`overview_state (organization_id, recomputed_at) values ($1, now())`, []],
    [
      `csv_import (organization_id, id, noun, file_name, content_id, bytes, row_count, columns) select organization_id, $2, 'assets', 'a.csv', id, 1, 1, '[]' from file_content where organization_id = $1 limit 1`,
      [newId()],
    ],
    [
      `csv_import_row (organization_id, import_id, line, action, name) select organization_id, id, 2, 'failed', '' from csv_import where organization_id = $1`,
      [],
    ],
    [
      `alert_rule (organization_id, id, name, kind) values ($1, $2, 'r', 'critical-vulnerability')`,
      [newId()],
    ],
    [
      `webhook (organization_id, id, name, url, secret, key_hint) values ($1, $2, 'w', 'https://example.org', '', '')`,
      [newId()],
    ],
    [
      `alert_rule_member (organization_id, rule_id, account_id) select organization_id, id, $2 from alert_rule where organization_id = $1`,
      [account],
    ],
    [
      `alert_rule_webhook (organization_id, rule_id, webhook_id) select r.organization_id, r.id, w.id from alert_rule r join webhook w using (organization_id) where r.organization_id = $1`,
      [],
    ],
    [
      `alert_change (organization_id, rule_id) select organization_id, id from alert_rule where organization_id = $1`,
      [],
    ],
    [
      `alert (organization_id, id, kind, severity, title, description, count, link) values ($1, $2, 'webhook-disabled', 'high', 't', '', 1, '/dashboard')`,
      [newId()],
    ],
    [
      `alert_finding (organization_id, rule_id, subject_id, occurrence, alert_id) select r.organization_id, r.id, $2, '', a.id from alert_rule r join alert a using (organization_id) where r.organization_id = $1`,
      [newId()],
    ],
    [`alert_reader (organization_id, account_id, read_until) values ($1, $2, $3)`, [account, newId()]],
    [
      `alert_read (organization_id, account_id, alert_id) select organization_id, $2, id from alert where organization_id = $1`,
      [account],
    ],
    [
      `alert_mail (organization_id, account_id, alert_id, due_at) select organization_id, $2, id, now() from alert where organization_id = $1`,
      [account],
    ],
    [
      `webhook_delivery (organization_id, id, webhook_id, type, payload, next_attempt_at) select organization_id, $2, id, 'webhook.test', '{}', now() from webhook where organization_id = $1`,
      [newId()],
    ],
    [
      `webhook_attempt (organization_id, delivery_id, n, duration_ms) select organization_id, id, 1, 1 from webhook_delivery where organization_id = $1`,
      [],
    ],
    [
      `report_schedule (organization_id, account_id, every, next_at) values ($1, $2, 'week', now())`,
      [account],
    ],
    [`deleted_record (organization_id, id, noun, data) values ($1, $2, 'asset', '{}')`, [newId()]],
    [
      `saved_view (organization_id, account_id, id, list, name, search) values ($1, $2, $3, '/dashboard', 'v', '{}')`,
      [account, newId()],
    ],
  ] as const)
    await admin.query(`insert into ${text}`, [organizationId, ...values]);
}

const count = (table: string) => sql<{ n: number }>`select count(*)::int as n from ${sql.table(table)}`;

describe('row-level security', () => {
  it('applies to every table of an organization, also for the owner of the table', async () => {
    expect(tables.length).toBeGreaterThanOrEqual(13);
    const unprotected = await ask<{ relname: string }>(
      `select relname from pg_class where relname = any($1) and relnamespace = 'public'::regnamespace
         and not (relrowsecurity and relforcerowsecurity
           and exists (select from pg_policy where polrelid = pg_class.oid and polname = 'organization'))`,
      [tables],
    );
    expect(unprotected).toEqual([]);
  });

  it('has only the policy of the organization, for all roles', async () => {
    const open = await ask(
      `select tablename, policyname, roles::text[] from pg_policies
       where schemaname = 'public' and policyname <> 'organization' and roles && '{public,riskboard_app}'::name[]
       order by tablename, policyname`,
    );
    expect(open).toEqual([
      { tablename: 'account', policyname: 'member', roles: ['riskboard_app'] },
      { tablename: 'cwe_catalogue', policyname: 'shared', roles: ['riskboard_app'] },
      { tablename: 'cwe_catalogue', policyname: 'upload', roles: ['riskboard_app'] },
      { tablename: 'cwe_entry', policyname: 'shared', roles: ['riskboard_app'] },
      { tablename: 'cwe_entry', policyname: 'upload', roles: ['riskboard_app'] },
      { tablename: 'outgoing_mail', policyname: 'ask', roles: ['riskboard_app'] },
    ]);
  });

  it('cannot be bypassed by the roles of the application', async () => {
    const roles = await ask<{ rolname: string }>(
      `select rolname, rolsuper, rolbypassrls, rolcreaterole, rolcreatedb, rolcanlogin,
         (select count(*)::int from pg_class where relowner = pg_roles.oid) as owned
       from pg_roles where rolname = any($1)`,
      [Object.values(databaseRoles)],
    );
    const nothing = {
      rolsuper: false,
      rolbypassrls: false,
      rolcreaterole: false,
      rolcreatedb: false,
      rolcanlogin: false,
      owned: 0,
    };
    expect(Object.fromEntries(roles.map(({ rolname, ...rights }) => [rolname, rights]))).toEqual({
      riskboard_app: nothing,
      riskboard_backup: nothing,
      riskboard_search: nothing,
      riskboard_system: nothing,
    });
    const { rows } = await sql<{ role: string }>`select current_user as role`.execute(database.app);
    expect(rows).toEqual([{ role: 'riskboard_app' }]);
  });

  it('shows no row of any table before an organization is entered, and none after it is left', async () => {
    const readable = async (): Promise<[string, number][]> => {
      const seen: [string, number][] = [];
      for (const table of tables)
        seen.push([table, (await count(table).execute(database.app)).rows[0]?.n ?? -1]);
      return seen;
    };
    expect(await readable()).toEqual(tables.map((table) => [table, 0]));
    await withOrganization(database, mine, (trx) => count('job').execute(trx));
    expect(await readable()).toEqual(tables.map((table) => [table, 0]));
  });

  it('shows its own rows in every table, and only those', async () => {
    for (const table of tables) {
      const { rows } = await withOrganization(database, mine, (trx) =>
        sql<{ organization_id: string }>`select organization_id from ${sql.table(table)}`.execute(trx),
      );
      expect([table, new Set(rows.map((row) => row.organization_id))]).toEqual([table, new Set([mine])]);
    }
  });

  it('rejects writes to another organization, in every table', async () => {
    for (const table of tables) {
      const [row] = await ask(`select * from ${table} where organization_id = $1 limit 1`, [theirs]);
      const columns = await ask<{ name: string }>(
        `select column_name as name from information_schema.columns
         where table_schema = 'public' and table_name = $1 and is_generated = 'NEVER'`,
        [table],
      );
      const list = sql.join(columns.map(({ name }) => sql.ref(name)));
      const write = withOrganization(database, mine, (trx) =>
        sql`insert into ${sql.table(table)} (${list})
          select ${list} from jsonb_populate_record(null::${sql.table(table)}, ${JSON.stringify(row)}::jsonb)`.execute(
          trx,
        ),
      );
      await expect(write).rejects.toThrow(/row-level security|permission denied/u);
    }
  });

  it('applies to COPY and to checked-out connections', async () => {
    const seen = await withOrganizationConnection(database, mine, async (_trx, connection) => {
      const { rows } = await connection.query<{ organization_id: string }>('select organization_id from job');
      return rows.map((row) => row.organization_id);
    });
    expect(new Set(seen)).toEqual(new Set([mine]));
  });

  it('closes a checked-out connection after an error, because its state is unknown', async () => {
    const single = openDatabase({ url: database.clone.url, max: 1 });
    onTestFinished(() => single.close());
    const pids: number[] = [];
    const use = (text: string) =>
      withOrganizationConnection(single, mine, async (_trx, connection) => {
        const { rows } = await connection.query<{ pid: number }>('select pg_backend_pid() as pid');
        pids.push(rows[0]?.pid ?? 0);
        await connection.query(text);
      });
    await use('select 1');
    await expect(use('select 1 / 0')).rejects.toThrow(/division by zero/u);
    await use('select 1');
    expect(pids[1]).toBe(pids[0]);
    expect(pids[2]).not.toBe(pids[1]);
  });

  it('shows the app no password hash, and only the people of its organization', async () => {
    const people = await withOrganization(database, mine, (trx) =>
      sql<{ n: number }>`select count(*)::int as n from account`.execute(trx),
    );
    expect(people.rows).toEqual([{ n: 1 }]);
    await expect(
      withOrganization(database, mine, (trx) => sql`select password_hash from account`.execute(trx)),
    ).rejects.toThrow(/permission denied/u);
    await expect(sql`select * from login_failure`.execute(database.app)).rejects.toThrow(
      /permission denied/u,
    );
  });

  it.each(['update activity set action = action', 'delete from activity', 'truncate activity'])(
    'allows inserts into the activity log, but no %s',
    async (change) => {
      const statement = sql.raw(change);
      await expect(withOrganization(database, mine, (trx) => statement.execute(trx))).rejects.toThrow(
        /permission denied/u,
      );
      await expect(statement.execute(database.system)).rejects.toThrow(/permission denied/u);
    },
  );

  it('lets the app request a mail of its organization, but read no mail and no secret of an account', async () => {
    const ask = (organizationId: string | null) =>
      withOrganization(database, mine, (trx) =>
        sql`insert into outgoing_mail (id, kind, email, organization_id)
          values (${newId()}, 'invitation', 'a@example.org', ${organizationId})`.execute(trx),
      );
    await ask(mine);
    for (const other of [theirs, null]) await expect(ask(other)).rejects.toThrow(/row-level security/u);
    for (const table of [
      'outgoing_mail',
      'password_reset',
      'email_change',
      'recovery_code',
      'second_factor_failure',
    ])
      await expect(withOrganization(database, mine, (trx) => count(table).execute(trx))).rejects.toThrow(
        /permission denied/u,
      );
    for (const column of ['totp_secret', 'totp_pending', 'totp_last_step'])
      await expect(
        withOrganization(database, mine, (trx) => sql`select ${sql.ref(column)} from account`.execute(trx)),
      ).rejects.toThrow(/permission denied/u);
  });
});

describe('keys', () => {
  it('between rows of an organization include its id', async () => {
    const loose = await ask(
      `select conrelid::regclass::text as from, confrelid::regclass::text as to
       from pg_constraint c
       where contype = 'f' and connamespace = 'public'::regnamespace
         and conrelid::regclass::text = any($1) and confrelid::regclass::text = any($1)
         and not exists (select from unnest(conkey) key join pg_attribute a on a.attrelid = conrelid and a.attnum = key
           where a.attname = 'organization_id')`,
      [tables],
    );
    expect(loose).toEqual([]);
  });

  it('that are unique are unique within an organization, except random identifiers', async () => {
    const global = await ask<{ table: string; columns: string }>(
      `select indrelid::regclass::text as table,
         (select string_agg(attname, ', ' order by attnum) from pg_attribute where attrelid = indrelid and attnum = any(indkey)) as columns
       from pg_index
       where indisunique and indrelid::regclass::text = any($1)
         and not exists (select from pg_attribute where attrelid = indrelid and attnum = any(indkey) and attname = 'organization_id')`,
      [tables],
    );
    expect(global.map(({ table, columns }) => `${table} (${columns})`).toSorted()).toEqual([
      'activity (id)',
      'api_token (token_hash)',
      'invitation (link_hash)',
      'invitation (mail_hash)',
      'job (id)',
      'removed_session (session_id)',
      'session (id)',
    ]);
  });

  it('that refer to another organization are refused', async () => {
    const [file] = await ask<{ id: string }>('select id from report_file where organization_id = $1', [
      theirs,
    ]);
    const link = withOrganization(database, mine, (trx) =>
      sql`insert into job (organization_id, id, kind, payload, file_id)
        values (${mine}, ${newId()}, 'stix.parse', '{}', ${file?.id})`.execute(trx),
    );
    await expect(link).rejects.toThrow(/foreign key/u);
  });
});
