import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { sql } from 'kysely';
import { newId } from '../new-id.ts';
import { deleteAccountsWithoutMembership } from './delete-without-membership.ts';
import { makeOrganization } from '../testing/organization.ts';
import { type OpenDatabase, openClone } from '../testing/open.ts';
import { withOrganization } from '../with-organization.ts';

let database: OpenDatabase;
let organizationId: string;
beforeAll(async () => {
  database = await openClone();
  organizationId = await makeOrganization(database);
});
afterAll(() => database.end());

async function makeAccount(): Promise<string> {
  const id = newId();
  await database.system
    .insertInto('account')
    .values({ id, email: `${id}@example.org`, password_hash: 'x', first_name: 'Ada' })
    .execute();
  return id;
}

const membership = (accountId: string) => ({
  organization_id: organizationId,
  account_id: accountId,
  role: 'viewer' as const,
});

const drop = (ids: string[]) =>
  database.system.transaction().execute((system) => deleteAccountsWithoutMembership(system, ids));

const remaining = async (ids: string[]): Promise<string[]> => {
  const rows = await database.system.selectFrom('account').select('id').where('id', 'in', ids).execute();
  return rows.map((row) => row.id);
};

describe('accounts without a membership', () => {
  it('are deleted; members and accounts that were not given are kept', async () => {
    const [stranded, member, unnamed] = [await makeAccount(), await makeAccount(), await makeAccount()];
    await database.system.insertInto('membership').values(membership(member)).execute();
    await drop([stranded, member]);
    expect((await remaining([stranded, member, unnamed])).toSorted()).toEqual([member, unnamed].toSorted());
  });

  it('are not deleted when no id is given', async () => {
    const stranded = await makeAccount();
    await drop([]);
    expect(await remaining([stranded])).toEqual([stranded]);
  });

  it('are kept when they join an organization at the same moment', async () => {
    const joining = await makeAccount();
    const { dropping } = await withOrganization(database, organizationId, async (trx) => {
      await trx.insertInto('membership').values(membership(joining)).execute();
      const promise = drop([joining]);
      await vi.waitFor(async () => {
        const { rows } = await sql`
          select pid from pg_locks where not granted
            and pid in (select pid from pg_stat_activity where datname = current_database())`.execute(
          database.system,
        );
        expect(rows).not.toEqual([]);
      });
      return { dropping: promise };
    });
    await dropping;
    expect(await remaining([joining])).toEqual([joining]);
  });
});
