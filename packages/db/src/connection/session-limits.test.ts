import { sql } from 'kysely';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { newId } from '../new-id.ts';
import { type OpenDatabase, openClone } from '../testing/open.ts';
import { makeOrganization } from '../testing/organization.ts';
import { withOrganization } from '../with-organization.ts';
import { type Database, openDatabase } from './client.ts';
import { sessionLimits } from './session-limits.ts';

let clone: OpenDatabase;
beforeAll(async () => {
  clone = await openClone();
});
afterAll(() => clone.end());

async function opened<T>(
  limits: typeof sessionLimits.api | { lockMs: number; idleInTransactionMs: number },
  work: (database: Database) => Promise<T>,
): Promise<T> {
  const database = openDatabase({ url: clone.clone.url, max: 2, limits });
  try {
    return await work(database);
  } finally {
    await database.close();
  }
}

it.each(['api', 'worker'] as const)(
  'every connection of the %s has its limits, under both roles',
  (process) =>
    opened(sessionLimits[process], async ({ app, system }) => {
      for (const role of [app, system]) {
        const { rows } = await sql<{ lock: number; idle: number }>`
        select
          (select setting::int from pg_settings where name = 'lock_timeout') as lock,
          (select setting::int from pg_settings where name = 'idle_in_transaction_session_timeout') as idle`.execute(
          role,
        );
        const { lockMs, idleInTransactionMs } = sessionLimits[process];
        expect(rows).toEqual([{ lock: lockMs, idle: idleInTransactionMs }]);
      }
    }),
);

it('a statement that waits for a lock beyond the limit fails with SQLSTATE 55P03', () =>
  opened({ lockMs: 50, idleInTransactionMs: 60_000 }, async (database) => {
    const organizationId = await makeOrganization(clone);
    const rename = sql`update organization set name = ${newId()}`;
    await withOrganization(clone, organizationId, async (trx) => {
      await rename.execute(trx);
      const second = withOrganization(database, organizationId, (other) => rename.execute(other));
      await expect(second).rejects.toMatchObject({ code: '55P03' });
    });
  }));

it('a transaction that is idle beyond the limit loses its connection', () =>
  opened({ lockMs: 1000, idleInTransactionMs: 100 }, async (database) => {
    const idle = database.app.transaction().execute(async (trx) => {
      await sql`select 1`.execute(trx);
      await new Promise((resolve) => {
        setTimeout(resolve, 1000);
      });
      await sql`select 1`.execute(trx);
    });
    await expect(idle).rejects.toThrow(/terminat|not queryable/u);
  }));
