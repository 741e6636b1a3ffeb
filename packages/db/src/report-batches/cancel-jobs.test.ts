import { withClient } from '@riskboard/testing';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { cancelJobs } from '../jobs/jobs.ts';
import { newId } from '../new-id.ts';
import { openRecorded, type RecordedDatabase } from '../testing/open.ts';
import { makeOrganization } from '../testing/organization.ts';
import { withOrganization } from '../with-organization.ts';

let database: RecordedDatabase;
beforeAll(async () => {
  database = await openRecorded();
});
afterAll(() => database.end());

/** A batch of files, each with a reading that waits and an extraction that waits for it. @returns its id */
async function makeBatch(organizationId: string, files: number): Promise<string> {
  const id = newId();
  const rows = Array.from({ length: files }, () => ({ file: newId(), read: newId(), extract: newId() }));
  await withOrganization(database, organizationId, async (trx) => {
    await sql`insert into batch (organization_id, id, name) values (current_organization(), ${id}, 'May')`.execute(
      trx,
    );
    const of = sql`
      from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) r (file uuid, "read" uuid, extract uuid)`;
    await sql`insert into job (organization_id, id, kind, payload, batch_id, batch_file_id, run_at)
      select current_organization(), r."read", 'stix.parse', '{}', ${id}, r.file, 'infinity' ${of}`.execute(
      trx,
    );
    await sql`insert into job (organization_id, id, kind, payload, batch_id, batch_file_id, waits_for)
      select current_organization(), r.extract, 'stix.extract', '{}', ${id}, r.file, r."read" ${of}`.execute(
      trx,
    );
    await sql`insert into batch_file (organization_id, id, batch_id, name, size, state, parse_job_id, extract_job_id)
      select current_organization(), r.file, ${id}, r.file, 1, 'queued', r."read", r.extract ${of}`.execute(
      trx,
    );
  });
  return id;
}

it('cancelling a batch reads a number of rows that grows with its files, after changes of single jobs too', async () => {
  const organizationId = await makeOrganization(database);
  const make = (files: number) => makeBatch(organizationId, files);
  const [single, few, many] = [
    await Promise.all(Array.from({ length: 8 }, () => make(1))),
    await make(100),
    await make(400),
  ];
  const cancel = async (id: string, files: number) => {
    database.statements();
    const jobs = await withOrganization(database, organizationId, (trx) => cancelJobs(trx, { batchId: id }));
    const read = database.statements().reduce((sum, { rows }) => sum + rows, 0);
    expect(jobs).toHaveLength(2 * files);
    const { rows } = await withOrganization(database, organizationId, (trx) =>
      sql`select state, count(*)::int as files from batch_file where batch_id = ${id} group by state`.execute(
        trx,
      ),
    );
    expect(rows).toEqual([{ state: 'cancelled', files }]);
    return read;
  };
  // As autovacuum does.
  await withClient(database.clone.adminUrl, (admin) => admin.query('analyze job, batch_file'));
  // A connection keeps the plans of a trigger that were made for few rows.
  for (const id of single) await cancel(id, 1);
  const ofFew = await cancel(few, 100);
  const ofMany = await cancel(many, 400);
  expect(ofMany).toBeLessThan(6 * ofFew);
});
