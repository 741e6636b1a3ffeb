import { newId } from '@riskboard/db';
import type { Client } from 'pg';
import { bundle, object, relationship, threat, vulnerability } from './stix2.ts';
import { importCsv } from './import-csv.ts';
import type { TestHarness } from './test-harness.ts';

/** The accounts and sessions of a seeded organization. */
export interface Seeded {
  ownerId: string;
  /** The second member; also a member of the other organization if `guestId` was given. */
  guestId: string;
  sessionIds: string[];
  endedSessionId: string;
}

/** A report with a record of each kind, a relation, an object that is not a record, and an old version of one that is. */
const report = (cve: string): string => {
  const weakness = vulnerability({ cves: [cve] });
  const actor = threat();
  const former = { ...actor, modified: '2019-01-01T00:00:00.000Z' };
  return bundle([weakness, former, actor, relationship('targets', actor, weakness), object('x-unknown')]);
};

/**
 * Fills an organization with at least one row in every table: parsed and extracted reports, and accounts with sessions and
 * tokens.
 * @param guestId an account of another organization to add as a member
 */
export async function seed(harness: TestHarness, admin: Client, guestId?: string): Promise<Seeded> {
  const { organizationId } = harness;
  const put = async (table: string, row: Record<string, unknown>): Promise<void> => {
    const names = Object.keys(row);
    await admin.query(
      `insert into ${table} (${names.join(', ')}) values (${names.map((_name, n) => `$${n + 1}`).join(', ')})`,
      Object.values(row),
    );
  };
  const secret = () => Buffer.from(newId());
  const later = '2100-01-01T00:00:00Z';
  const ofOrganization = (table: string, row: Record<string, unknown>) =>
    put(table, { organization_id: organizationId, ...row });

  async function account(): Promise<string> {
    const id = newId();
    await put('account', { id, email: `${id}@example.org`, password_hash: 'x', first_name: 'Ada' });
    await put('recovery_code', { account_id: id, code_hash: secret() });
    await put('password_reset', { token_hash: secret(), account_id: id, expires_at: later });
    await put('email_change', { account_id: id, email: `new-${id}@example.org`, expires_at: later });
    return id;
  }

  async function join(accountId: string, role: string): Promise<string> {
    await ofOrganization('membership', { account_id: accountId, role });
    return session(accountId);
  }

  async function session(accountId: string, endedAt: string | null = null): Promise<string> {
    const id = newId();
    const times = { expires_at: later, ended_at: endedAt };
    await ofOrganization('session', { id, account_id: accountId, refresh_hash: secret(), ...times });
    return id;
  }

  const ownerId = await account();
  const joinedId = guestId ?? (await account());
  const sessionIds = [await join(ownerId, 'owner'), await join(joinedId, 'analyst')];
  const endedSessionId = await session(ownerId, '2020-01-01T00:00:00Z');
  await ofOrganization('removed_session', { session_id: newId() });
  const token = { account_id: ownerId, name: 'script', role: 'viewer', hint: 'abcd' };
  await ofOrganization('api_token', { id: newId(), ...token, token_hash: secret(), expires_at: later });
  const invited = { email: 'invited@example.org', role: 'viewer', expires_at: later };
  await ofOrganization('invitation', { id: newId(), ...invited, link_hash: secret() });
  await ofOrganization('outgoing_mail', { id: newId(), kind: 'invitation', email: invited.email });
  const [vulnerabilityId, threatId] = [newId(), newId()];
  await ofOrganization('vulnerability', {
    id: vulnerabilityId,
    name: 'Entered manually',
    created_by: ownerId,
  });
  await ofOrganization('threat', { id: threatId, name: 'Entered manually', created_by: ownerId });
  const [projectId, doorId, cameraId] = [newId(), newId(), newId()];
  await ofOrganization('project', { id: projectId, name: 'Harbour', start_date: '2026-01-01' });
  for (const [id, name] of [
    [doorId, 'Door'],
    [cameraId, 'Camera'],
  ])
    await ofOrganization('asset', { id, name, project_id: projectId, asset_type_id: 1 });
  await ofOrganization('asset_relation', { asset_id: doorId, related_id: cameraId });
  await ofOrganization('vulnerability_asset', { vulnerability_id: vulnerabilityId, asset_id: doorId });
  await ofOrganization('threat_asset', { threat_id: threatId, asset_id: cameraId });
  const catalogueId = newId();
  const contents = { notice: 'Terms of use', weaknesses: 1, categories: 0, views: 0 };
  const upload = { version: `4.15 (${catalogueId})`, content_version: '4.15', origin: 'upload' };
  await ofOrganization('cwe_catalogue', { id: catalogueId, ...upload, ...contents });
  const entry = { kind: 'weakness', name: 'Of a test', abstraction: 'Base', status: 'Draft', likelihood: '' };
  const relations = { impacts: [], parents: [], data: '{}' };
  await ofOrganization('cwe_entry', { catalogue_id: catalogueId, id: 1, ...entry, ...relations });
  const vignette = { id: newId(), name: 'Shop', scorecard_name: 'Shop', rated_cells: 1 };
  await ofOrganization('vignette', vignette);
  await ofOrganization('vignette_version', { vignette_id: vignette.id, version: 1, content: '{}' });
  const scored = { vulnerability_id: vulnerabilityId, version: 1, cause: 'calculated', vector: '' };
  const versions = { vignette_version: 1, catalogue_version: '', formula_version: '' };
  const applied = { vignette_id: vignette.id, vignette_name: vignette.name, ...versions };
  await ofOrganization('cwss_score', { ...scored, ...applied, score: 1, raw: 1, inputs: '{}' });
  const override = { factor: 'EC', code: 'N', weight: 1, reason: 'No control is known.' };
  await ofOrganization('cwss_override', { vulnerability_id: vulnerabilityId, ...override });
  const day = '2026-11-21';
  await ofOrganization('asset_score_day', { day });
  const counted = { measure: 'threats', bucket: '', count: 0, sum: 0 };
  await ofOrganization('overview_day', { day, cause: 'found', ...counted });
  await ofOrganization('overview_total', counted);
  await ofOrganization('overview_snapshot', { day, totals: '{}', formula_version: '', taken_at: day });
  await ofOrganization('overview_week', { week: '2026-11-16', fixed: 1, p50: 1, p95: 1 });
  await ofOrganization('overview_state', { recomputed_at: day });
  await ofOrganization('deleted_record', { noun: 'threat', id: newId(), data: '{}' });
  const [ruleId, webhookId, alertId, deliveryId] = [newId(), newId(), newId(), newId()];
  await ofOrganization('alert_rule', { id: ruleId, name: 'Critical', kind: 'asset-at-risk' });
  const hook = { name: 'Chat', url: 'https://chat.example.org', secret: secret(), key_hint: 'abcd' };
  await ofOrganization('webhook', { id: webhookId, ...hook });
  await ofOrganization('alert_rule_member', { rule_id: ruleId, account_id: ownerId });
  await ofOrganization('alert_rule_webhook', { rule_id: ruleId, webhook_id: webhookId });
  await ofOrganization('alert_change', { rule_id: ruleId, subject_id: doorId });
  const texts = { title: 'Door', description: '', link: '/dashboard', count: 1 };
  await ofOrganization('alert', { id: alertId, kind: 'asset-at-risk', severity: 'high', ...texts });
  const finding = { subject_id: doorId, occurrence: 'created', alert_id: alertId };
  await ofOrganization('alert_finding', { rule_id: ruleId, ...finding });
  await ofOrganization('alert_reader', { account_id: ownerId, read_until: newId() });
  await ofOrganization('alert_read', { account_id: ownerId, alert_id: alertId });
  await ofOrganization('alert_mail', { account_id: ownerId, alert_id: alertId, due_at: later });
  const delivery = { webhook_id: webhookId, type: 'alert.created', payload: '{}', next_attempt_at: later };
  await ofOrganization('webhook_delivery', { id: deliveryId, alert_id: alertId, ...delivery });
  await ofOrganization('webhook_attempt', { delivery_id: deliveryId, n: 1, duration_ms: 1 });
  const batchId = newId();
  const totals = {
    files: 1,
    bytes: 1,
    queued: 1,
    running: 0,
    succeeded: 0,
    with_issues: 0,
    failed: 0,
    cancelled: 0,
    issues: 0,
    created: 0,
    updated: 0,
    unchanged: 0,
    skipped: 0,
  };
  const batchFileId = newId();
  await ofOrganization('batch', { id: batchId, name: 'May' });
  await ofOrganization('batch_file', {
    id: batchFileId,
    batch_id: batchId,
    name: 'a.json',
    size: 1,
    state: 'queued',
  });
  await ofOrganization('batch_attempt', {
    job_id: newId(),
    attempt: 1,
    batch_file_id: batchFileId,
    step: 'read',
    started_at: later,
  });
  await ofOrganization('batch_change', { batch_id: batchId, ...totals });
  await ofOrganization('report_schedule', { account_id: ownerId, every: 'week', next_at: later });
  const view = { account_id: ownerId, list: '/dashboard/threats', name: 'Mine', search: '{}' };
  await ofOrganization('saved_view', { id: newId(), ...view });
  for (const cve of ['CVE-2021-44228', 'CVE-2014-0160']) {
    const { fileId } = await harness.read(`${cve}.json`, report(cve));
    await harness.extract(fileId);
  }
  await importCsv(harness, { csv: 'Name,Description,Type,Project\nCrane,A crane,Hardware,Harbour' });
  return { ownerId, guestId: joinedId, sessionIds, endedSessionId };
}

/** Every row of an organization, by table. Reads the system catalogue and bypasses row-level security. */
export async function everyRow(admin: Client, organizationId: string): Promise<Record<string, unknown[]>> {
  const { rows: tables } = await admin.query<{ name: string }>(
    `select c.relname as name from pg_class c join pg_attribute a on a.attrelid = c.oid
     where a.attname = 'organization_id' and c.relkind in ('r', 'p') and c.relnamespace = 'public'::regnamespace
     order by 1`,
  );
  const all: Record<string, unknown[]> = {};
  for (const { name } of tables) {
    const { rows } = await admin.query<{ row: unknown }>(
      `select to_jsonb(t) as row from ${name} t where organization_id = $1 order by to_jsonb(t)::text`,
      [organizationId],
    );
    all[name] = rows.map(({ row }) => row);
  }
  return all;
}
