import { newId, withOrganization } from '@riskboard/db';
import { sql } from 'kysely';
import { insertToken, makeMember } from './accounts/member.ts';
import { asWorker } from './fakes/as-worker.ts';
import { uploadCsv } from './import-csv.ts';
import { put } from './make-records.ts';
import type { Person } from './person.ts';
import { rowMaker } from './records.ts';
import { bundle } from './report.ts';
import { calculateScore } from './scores.ts';
import type { TestApi } from './start-api.ts';
import { makeVignette } from './vignettes.ts';

/** A file read and extracted, another member, an invitation and a token. */
export async function fillOrganization(api: TestApi, person: Person): Promise<void> {
  const batch = await person.post('/api/batches', { name: 'Theirs' });
  const inBatch = `?batch=${batch.json<{ _id: string }>()._id}`;
  const file = await person.upload({ name: 'theirs.json', content: bundle() }, inBatch);
  const worker = asWorker(api, person);
  const { _id } = file.json<{ _id: string }>();
  await worker.read(_id, { records: [{ key: 'CVE-1' }, { key: 'T-1', kind: 'threat' }] });
  await worker.extract(_id);
  const { organizationId } = person.user;
  const { asset, make } = rowMaker(api, person);
  await asset('Theirs');
  const [binned = ''] = await make('threat', [{ name: 'Binned' }]);
  await person.delete(`/api/threats/${binned}`);
  await person.post('/api/views', { list: '/dashboard/threats', name: 'Theirs', search: {} });
  const id = (await make('vulnerability', [{ name: 'Scored', cwe: ['CWE-79'] }]))[0] ?? '';
  await calculateScore(api, person, { id, vignetteId: await makeVignette(api, person) });
  await put(person, `/api/vulnerabilities/${id}/cwss/factors`, { AP: { value: 'A', reason: 'Root.' } });
  await uploadCsv(person, 'Name,Description\nDoor,A door');
  await insertToken(api, await makeMember(api, organizationId, 'analyst'), { role: 'viewer' });
  await fillAlerts(api, person);
  await person.post('/api/organization/invitations', { email: 'invited@example.org', role: 'viewer' });
}

/** A webhook, a rule that uses it, and a delivery with an alert. */
async function fillAlerts(api: TestApi, person: Person): Promise<void> {
  const webhook = await person.post('/api/alerts/webhooks', {
    name: 'Chat',
    url: 'https://chat.example.org',
  });
  const { _id } = webhook.json<{ _id: string }>();
  const kind = 'critical-vulnerability';
  await person.post('/api/alerts/rules', {
    name: 'Critical',
    kind,
    mailTo: [person.user._id],
    webhookIds: [_id],
  });
  await person.post(`/api/alerts/webhooks/${_id}/test`, {});
  await withOrganization(api.database, person.user.organizationId, (trx) =>
    sql`insert into alert (organization_id, id, kind, severity, title, description, count, link)
      values (current_organization(), ${newId()}, 'asset-at-risk', 'high', 'Door', '', 1, '/dashboard')`.execute(
      trx,
    ),
  );
}

/** All ids in the tables of the organization. Reads the system catalogue, so that a new table is included. */
export async function identifiersOf(api: TestApi, organizationId: string): Promise<[string, string][]> {
  const { rows: columns } = await sql<{ table: string; column: string }>`
    select table_name as table, column_name as column from information_schema.columns
    join information_schema.tables using (table_schema, table_name)
    where table_schema = 'public' and table_type = 'BASE TABLE' and udt_name = 'uuid'
      and column_name in ('id', 'account_id', 'organization_id')
      and table_name in (select tablename from pg_policies where policyname = 'organization')`.execute(
    api.database.app,
  );
  return withOrganization(api.database, organizationId, async (trx) => {
    const found: [string, string][] = [];
    for (const { table, column } of columns) {
      const { rows } = await sql<{ id: string }>`
        select distinct ${sql.ref(column)} as id from ${sql.table(table)} where ${sql.ref(column)} is not null limit 2`.execute(
        trx,
      );
      found.push(...rows.map(({ id }): [string, string] => [table, id]));
    }
    return found;
  });
}
