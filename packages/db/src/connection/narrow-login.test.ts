import { randomBytes } from 'node:crypto';
import { sql } from 'kysely';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { ensureLogin } from '../migrate/roles.ts';
import { canBecomeSystem, type Database, openDatabase } from './client.ts';
import { databaseRoles } from './roles.ts';
import { sessionLimits } from './session-limits.ts';
import { runningTransactions } from '../lists/existing-rows.ts';
import { makeOrganization } from '../testing/organization.ts';
import { type OpenDatabase, openClone } from '../testing/open.ts';
import { withOrganization } from '../with-organization.ts';

/** Logins for api and workers, created as `npm start` and SECURITY.md do; only migrations use the login of the owner. */
const suffix = randomBytes(4).toString('hex');
const logins = { app: `riskboard_app_${suffix}`, system: `riskboard_system_${suffix}` };

let owner: OpenDatabase;
let urls: { app: string; system: string };
let database: Database;
let mine: string;

beforeAll(async () => {
  owner = await openClone();
  mine = await makeOrganization(owner);
  const addressOf = (name: string): string => {
    const url = new URL(owner.clone.url);
    [url.username, url.password] = [name, randomBytes(16).toString('hex')];
    return url.href;
  };
  urls = { app: addressOf(logins.app), system: addressOf(logins.system) };
  await ensureLogin(owner.clone.adminUrl, urls.app, databaseRoles.app);
  await ensureLogin(owner.clone.adminUrl, urls.system, databaseRoles.system);
  database = openDatabase({ url: urls.app, systemUrl: urls.system, max: 2 });
});
afterAll(async () => {
  await database.close();
  const admin = new pg.Client({ connectionString: owner.clone.adminUrl });
  await admin.connect();
  const both = `${logins.app}, ${logins.system}`;
  await admin.query(`drop owned by ${both}; drop role ${both}`);
  await admin.end();
  await owner.end();
});

describe('a login without own tables', () => {
  it('can read an organization and the accounts', async () => {
    const found = await withOrganization(database, mine, (trx) =>
      trx.selectFrom('organization').select('organization_id').execute(),
    );
    expect(found).toEqual([{ organization_id: mine }]);
    const { rows } = await sql<{ role: string; n: number }>`
      select current_user as role, count(*)::int as n from account`.execute(database.system);
    expect(rows).toEqual([{ role: databaseRoles.system, n: 0 }]);
  });

  it.each([
    'select password_hash from account',
    'select from report_file',
    'alter table activity disable row level security',
    'delete from activity',
    'create table mine (id int)',
    'create role another',
  ])('has no privileges outside its roles: %s', async (statement) => {
    const attempt = withOrganization(database, mine, async (trx) => {
      await sql`reset role`.execute(trx);
      await sql`set local role none`.execute(trx);
      await sql.raw(statement).execute(trx);
    });
    await expect(attempt).rejects.toThrow(/permission denied|must be owner/u);
  });

  it.each([
    'set role riskboard_system',
    'set local role riskboard_system',
    'set session authorization riskboard_system',
    "select set_config('role', 'riskboard_system', true)",
    'grant riskboard_system to current_user',
  ])('cannot take the system role from a connection that serves requests: %s', async (statement) => {
    const attempt = withOrganization(database, mine, async (trx) => {
      await sql`reset role`.execute(trx);
      await sql.raw(statement).execute(trx);
      await sql`select password_hash from account`.execute(trx);
    });
    await expect(attempt).rejects.toThrow(/permission denied/u);
  });

  it('is recognised as one that cannot take the system role, unlike the login of the owner', async () => {
    expect(await canBecomeSystem(database)).toBe(false);
    expect(await canBecomeSystem(owner)).toBe(true);
  });

  it('has the lock and idle limits of its process on both connections, also after a reset of its role', async () => {
    for (const role of [database.app, database.system])
      await role.connection().execute(async (connection) => {
        await sql`reset role`.execute(connection);
        const { rows } = await sql<{ lock: string; idle: string }>`
          select current_setting('lock_timeout') as lock,
            current_setting('idle_in_transaction_session_timeout') as idle`.execute(connection);
        const { lockMs, idleInTransactionMs } = sessionLimits.api;
        expect(rows).toEqual([{ lock: `${lockMs / 1000}s`, idle: `${idleInTransactionMs / 60_000}min` }]);
      });
  });

  it('sees which other transactions of its sessions are running, and keeps its role', async () => {
    for (const login of [database, owner]) {
      const seen = await withOrganization(login, mine, async (open) => {
        const { rows } = await sql<{ started: Date }>`select now() as started`.execute(open);
        const found = await withOrganization(login, mine, async (trx) => {
          const running = await runningTransactions(trx);
          const { rows: same } = await sql<{ role: string; known: boolean }>`
            select current_user as role, ${rows[0]?.started}::timestamptz =
              any (select date_trunc('milliseconds', one::timestamptz) from unnest(${running}::text[]) one) as known`.execute(
            trx,
          );
          return same;
        });
        return found;
      });
      expect(seen).toEqual([{ role: databaseRoles.app, known: true }]);
    }
    expect(await withOrganization(database, mine, runningTransactions)).toEqual([]);
  });

  it('gives up a lock after the time of its process', async () => {
    const impatient = openDatabase({
      url: urls.app,
      systemUrl: urls.system,
      max: 1,
      limits: { lockMs: 50, idleInTransactionMs: 60_000 },
    });
    onTestFinished(() => impatient.close());
    const rename = sql`update organization set name = 'other'`;
    await withOrganization(owner, mine, async (trx) => {
      await rename.execute(trx);
      const second = withOrganization(impatient, mine, (other) => rename.execute(other));
      await expect(second).rejects.toMatchObject({ code: '55P03' });
    });
  });
});
