import { makeMember } from '@riskboard/api/testing/accounts/member';
import { fillOrganization } from '@riskboard/api/testing/filled-organization';
import { type Answer, password, type Person, signUp } from '@riskboard/api/testing/person';
import type { TestApi } from '@riskboard/api/testing/start-api';
import { newId, requestRecompute, withOrganization } from '@riskboard/db';
import { bundle, relationship, threat, vulnerability } from '@riskboard/worker/testing/stix2';
import type { Client } from 'pg';
import { runUnfinishedJobs } from './run-jobs.ts';

export const owner = { email: 'owner@fixture.example', password };
/** Characters of two to four bytes, quotation marks, a change of direction. */
const oddName = 'Größe 🚢 \u202E"quoted" \\ 名前 %';
/** More than a page of PostgreSQL (8 kB), so that it is stored out of line. */
const longText = Array.from({ length: 800 }, (_none, n) => `Sentence ${n}.`).join(' ');
const later = '2100-01-01T00:00:00Z';

/** Fills a fresh database of the newest version with at least one row in every table, some of them odd but legal. */
export async function fillProduct(api: TestApi, admin: Client): Promise<void> {
  const person = await signUp(api, { email: owner.email });
  await fillOrganization(api, person);
  await importReports(api, person);
  await addAccounts(api, person, admin);
  await addOddRecords(person, admin);
  await addRowsWithoutEndpoint(person, admin);
  await withOrganization(api.database, person.user.organizationId, (trx) => requestRecompute(trx, null));
  await runUnfinishedJobs(api.clone.url);
  await leaveUnfinished(person, admin);
  // Numbers of the overview that are not moved into their day yet.
  const found = {
    organization_id: person.user.organizationId,
    id: newId(),
    name: 'Found today',
    risk_level: 61,
  };
  await putter(admin, found)('threat', {});
  // A second organization, which has nothing but its owner.
  await signUp(api, { email: 'empty@fixture.example' });
}

/** Reports that the worker reads and extracts, with objects that fail and objects of which the report has a newer version. */
async function importReports(api: TestApi, person: Person): Promise<void> {
  const inBatch = `?batch=${await accepted(person.post('/api/batches', { name: oddName }))}`;
  for (const cve of ['CVE-2021-44228', 'CVE-2014-0160']) {
    const weakness = vulnerability({ cves: [cve], vector: 'CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:H/I:H/A:H' });
    const actor = threat({ name: `Actor of ${cve}` });
    const broken = { ...vulnerability({ cves: ['CVE-2020-0001'] }), name: 'nul \0 character' };
    const former = { ...actor, modified: '2019-01-01T00:00:00.000Z' };
    const objects = [weakness, former, actor, relationship('targets', actor, weakness), broken];
    const report = { name: `${oddName} ${cve}.json`, content: bundle(objects) };
    const id = await accepted(person.upload(report, inBatch));
    await runUnfinishedJobs(api.clone.url);
    await accepted(person.post('/api/reports/extract', { id, kinds: ['vulnerabilities', 'threats'] }));
    await runUnfinishedJobs(api.clone.url);
  }
}

/** @throws when the call was refused */
async function accepted(answer: Promise<Answer>): Promise<string> {
  const { statusCode, body } = await answer;
  if (statusCode >= 300) throw new Error(`${statusCode}: ${body}`);
  return body === '' ? '' : String((JSON.parse(body) as { _id?: string })._id);
}

type Put = (table: string, row: Record<string, unknown>) => Promise<void>;

const putter =
  (admin: Client, common: Record<string, unknown>): Put =>
  async (table, row) => {
    const full = { ...common, ...row };
    const names = Object.keys(full).join(', ');
    const values = Object.keys(full).map((_name, n) => `$${n + 1}`);
    await admin.query(`insert into ${table} (${names}) values (${values.join(', ')})`, Object.values(full));
  };

/** A removed member, and everything that belongs to a person. */
async function addAccounts(api: TestApi, person: Person, admin: Client): Promise<void> {
  const { organizationId, _id: ownerId } = person.user;
  const removed = await makeMember(api, organizationId, 'analyst');
  const put = putter(admin, {});
  const secret = () => Buffer.from(newId());
  await admin.query('delete from membership where account_id = $1', [removed.accountId]);
  for (const id of [ownerId, removed.accountId]) {
    await put('recovery_code', { account_id: id, code_hash: secret() });
    await put('password_reset', { token_hash: secret(), account_id: id, expires_at: later });
    await put('email_change', { account_id: id, email: `new-${id}@fixture.example`, expires_at: later });
    await put('second_factor_failure', { id: newId(), account_id: id });
  }
  await put('login_failure', { id: newId(), account_key: secret(), address: '::1' });
  await put('reset_request', { email_key: secret() });
  await put('rotated_secret', {
    session_id: (await admin.query<{ id: string }>('select id from session limit 1')).rows[0]?.id,
    hash: secret(),
  });
  const of = putter(admin, { organization_id: organizationId });
  await of('removed_session', { session_id: newId() });
  await of('outgoing_mail', { id: newId(), kind: 'invitation', email: 'invited@fixture.example' });
  await of('saved_view', {
    id: newId(),
    account_id: ownerId,
    list: '/dashboard/threats',
    name: oddName,
    search: '{}',
    is_default: true,
  });
  await of('activity', { id: newId(), action: 'created', noun: 'threat', noun_id: newId(), actor: '' });
}

/** Records with the least and the most that a form accepts, related to each other, and deleted ones. */
async function addOddRecords(person: Person, admin: Client): Promise<void> {
  const { organizationId, _id: by } = person.user;
  const put = putter(admin, { organization_id: organizationId });
  const [project, empty, asset, child, deleted, record, actor] = [
    newId(),
    newId(),
    newId(),
    newId(),
    newId(),
    newId(),
    newId(),
  ] as const;
  await put('project', { id: empty, name: 'x', start_date: '0001-01-01' });
  await put('project', {
    id: project,
    name: oddName,
    description: longText,
    start_date: '2024-02-29',
    planned_end_date: '9999-12-31',
  });
  await put('asset', {
    id: asset,
    project_id: project,
    name: oddName,
    asset_type_id: 6,
    criticality: 5,
    replacement_cost: 0.01,
    recovery_cost: 1e9,
    start_date: '2024-05-03',
    created_by: by,
  });
  for (const id of [child, deleted]) {
    await put('asset', { id, project_id: project, name: 'x', asset_type_id: 1 });
    await put('asset_relation', { asset_id: asset, related_id: id });
  }
  await put('vulnerability', {
    id: record,
    name: oddName,
    description: longText,
    severity: 9.8,
    status: 'fixed',
    cve_id: 'CVE-2021-44228',
    cwe: ['CWE-79', 'CWE-89'],
    discovery_date: '2024-05-04',
    fix_date: '2024-06-01',
    category_id: 1,
    edited_fields: ['name'],
    created_by: newId(),
  });
  await put('threat', { id: actor, name: oddName, risk_level: 100, likelihood: 5, impact: 5 });
  for (const one of [asset, child, deleted]) {
    await put('vulnerability_asset', { vulnerability_id: record, asset_id: one });
    await put('threat_asset', { threat_id: actor, asset_id: one });
  }
  await accepted(person.delete(`/api/assets/${deleted}`));
  await accepted(person.delete(`/api/projects/${empty}`));
  const weakness = newId();
  await put('vulnerability', { id: weakness, name: 'Deleted', severity: 3 });
  await accepted(person.delete(`/api/vulnerabilities/${weakness}`));
}

/** Rows that a process writes by itself, later than a test waits. */
async function addRowsWithoutEndpoint(person: Person, admin: Client): Promise<void> {
  const { organizationId, _id: accountId } = person.user;
  const put = putter(admin, { organization_id: organizationId });
  const read = async (text: string) =>
    (await admin.query<{ id: string }>(`${text} limit 1`)).rows[0]?.id ?? '';
  const catalogueId = newId();
  await put('cwe_catalogue', {
    id: catalogueId,
    version: '4.15 (upload 1)',
    content_version: '4.15',
    origin: 'upload',
    notice: 'Terms of use',
    weaknesses: 1,
    categories: 0,
    views: 0,
  });
  await put('cwe_entry', {
    catalogue_id: catalogueId,
    id: 1,
    kind: 'weakness',
    name: oddName,
    abstraction: 'Base',
    status: 'Draft',
    likelihood: '',
    impacts: [],
    parents: [],
    data: '{}',
  });
  await putter(admin, {})('cwe_lookup', { id: 99_999, name: 'Removed', data: '{}' });
  await admin.query(`insert into backup_status (succeeded_at, size) values (now(), 1)`);
  const importId = await read('select id from csv_import');
  await put('csv_import_row', { import_id: importId, line: 3, action: 'failed', name: '', problem: oddName });
  await put('asset_score_day', { day: '2026-11-20' });
  const [ruleId, alertId] = [await read('select id from alert_rule'), await read('select id from alert')];
  await put('alert_finding', {
    rule_id: ruleId,
    subject_id: newId(),
    occurrence: 'created',
    alert_id: alertId,
  });
  await put('alert_reader', { account_id: accountId, read_until: newId() });
  await put('alert_read', { account_id: accountId, alert_id: alertId });
  await put('alert_mail', { account_id: accountId, alert_id: alertId, due_at: later });
  await put('report_schedule', { account_id: accountId, every: 'week', next_at: later });
  await put('overview_week', { week: '2026-11-16', fixed: 1, p50: 1, p95: 1 });
}

/** A job in every state, two of them for the next worker: one waits in the queue, the worker of the other one died. */
async function leaveUnfinished(person: Person, admin: Client): Promise<void> {
  const names = ['waits in the queue', 'lost its worker'];
  for (const name of names)
    await accepted(person.upload({ name: `${name}.json`, content: bundle([threat({ name })]) }));
  await admin.query(
    `update job set state = 'running', attempt = 1, tries = 1, started_at = now(), heartbeat_at = now() - interval '1 hour'
     where file_id in (select id from report_file where name like 'lost%')`,
  );
  const put = putter(admin, { organization_id: person.user.organizationId, kind: 'stix.extract' });
  const payload = JSON.stringify({ fileId: newId(), kinds: ['threats'] });
  const { rows } = await admin.query<{ id: string; file_id: string }>(
    `select id, file_id from job where state = 'queued' and kind = 'stix.parse'`,
  );
  for (const { id: waitsFor, file_id: fileId } of rows)
    await put('job', {
      id: newId(),
      file_id: fileId,
      waits_for: waitsFor,
      payload: JSON.stringify({ fileId, kinds: ['vulnerabilities', 'threats'] }),
    });
  const ended = { payload, finished_at: '2026-01-01T00:00:00Z' };
  await put('job', {
    ...ended,
    id: newId(),
    state: 'failed',
    error_code: 'internal',
    error_message: oddName,
  });
  await put('job', { ...ended, id: newId(), state: 'cancelled' });
}
