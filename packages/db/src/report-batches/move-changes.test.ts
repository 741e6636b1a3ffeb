import { sql } from 'kysely';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { newId } from '../new-id.ts';
import { type OpenDatabase, openClone } from '../testing/open.ts';
import { makeOrganization } from '../testing/organization.ts';
import { withOrganization } from '../with-organization.ts';
import { deleteBatch } from './delete-batch.ts';
import { moveBatchChanges } from './select-batches.ts';

let database: OpenDatabase;
beforeAll(async () => {
  database = await openClone();
});
afterAll(() => database.end());

it('moving the changes of a batch and deleting it at the same time do not deadlock', async () => {
  const organizationId = await makeOrganization(database);
  const id = newId();
  await withOrganization(database, organizationId, async (trx) => {
    await sql`insert into batch (organization_id, id, name, created_at)
      values (current_organization(), ${id}, 'May', now() - interval '100 days')`.execute(trx);
    await sql`insert into batch_file (organization_id, id, batch_id, name, size, state, received_at, ended_at)
      values (current_organization(), ${newId()}, ${id}, 'a.json', 1, 'succeeded', now() - interval '100 days',
        now() - interval '100 days')`.execute(trx);
  });
  const { moving } = await withOrganization(database, organizationId, async (trx) => {
    // As the deletion begins; it then deletes the changes.
    await sql`select from batch where organization_id = current_organization() and id = ${id} for update`.execute(
      trx,
    );
    const promise = withOrganization(database, organizationId, (other) => moveBatchChanges(other, id));
    await vi.waitFor(async () => {
      const { rows } = await sql`
        select from pg_locks join pg_stat_activity using (pid)
        where not granted and datname = current_database()`.execute(database.system);
      expect(rows).toHaveLength(1);
    });
    expect(await deleteBatch(trx, { id, days: 0 })).toBe(true);
    return { moving: promise };
  });
  expect(await moving).toBe(0);
});
