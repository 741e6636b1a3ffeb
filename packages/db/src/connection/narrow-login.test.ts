import { randomBytes } from 'node:crypto';
import { sql } from 'kysely';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Database, databaseRoles, openDatabase } from './client.ts';
import { makeOrganization } from '../test/organization.ts';
import { type OpenDatabase, openClone } from '../test/open.ts';
import { withOrganization } from '../with-organization.ts';

/** A login for api and workers, created as in SECURITY.md; only migrations use the login of the owner. */
const login = `riskboard_serve_${randomBytes(4).toString('hex')}`;

let owner: OpenDatabase;
let database: Database;
let admin: pg.Client;
let mine: string;

beforeAll(async () => {
  owner = await openClone();
  mine = await makeOrganization(owner);
  admin = new pg.Client({ connectionString: owner.clone.adminUrl });
  await admin.connect();
  const password = randomBytes(16).toString('hex');
  await admin.query(`create role ${login} login noinherit password '${password}'`);
  await admin.query(`grant ${databaseRoles.app}, ${databaseRoles.system} to ${login}`);
  const url = new URL(owner.clone.url);
  url.username = login;
  url.password = password;
  database = openDatabase({ url: url.href, max: 2 });
});
afterAll(async () => {
  await database.close();
  await admin.query(`drop role ${login}`);
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
});
