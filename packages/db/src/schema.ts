import type { ColumnType, Generated, JSONColumnType } from 'kysely';
import type { CweData } from './cwe/record.ts';

/** A calendar day, YYYY-MM-DD. */
type Day = string;
/** timestamptz: read as Date; written as Date, or an ISO string. */
type Time = ColumnType<Date, Date | string, Date | string>;
type DefaultTime = ColumnType<Date, Date | string | undefined, Date | string>;
type NullableTime = ColumnType<Date | null, Date | string | null | undefined, Date | string | null>;
type Json<T extends object | null> = JSONColumnType<T, string | undefined>;
type NullableJson<T extends object> = ColumnType<T | null, string | null | undefined, string | null>;

export interface OrganizationTable {
  organization_id: string;
  name: Generated<string>;
  created_at: DefaultTime;
  require_second_factor: Generated<boolean>;
  deleting_at: NullableTime;
}

export interface AccountTable {
  id: string;
  email: string;
  password_hash: string;
  first_name: string;
  last_name: Generated<string>;
  created_at: DefaultTime;
  totp_secret: Buffer | null;
  totp_enabled_at: NullableTime;
  totp_last_step: number | null;
  totp_pending: Buffer | null;
}

export interface RecoveryCodeTable {
  account_id: string;
  code_hash: Buffer;
  created_at: DefaultTime;
}

export interface PasswordResetTable {
  token_hash: Buffer;
  account_id: string;
  created_at: DefaultTime;
  expires_at: Time;
}

export interface EmailChangeTable {
  account_id: string;
  email: string;
  token_hash: Buffer | null;
  created_at: DefaultTime;
  expires_at: Time;
}

export interface ResetRequestTable {
  email_key: Buffer;
  at: DefaultTime;
}

export interface InvitationTable {
  organization_id: string;
  id: string;
  email: string;
  role: 'viewer' | 'analyst' | 'owner';
  link_hash: Buffer;
  mail_hash: Buffer | null;
  invited_by: string | null;
  created_at: DefaultTime;
  expires_at: Time;
}

export interface ApiTokenTable {
  organization_id: string;
  id: string;
  account_id: string;
  name: string;
  role: 'viewer' | 'analyst' | 'owner';
  token_hash: Buffer;
  hint: string;
  created_at: DefaultTime;
  expires_at: Time;
  last_used_at: NullableTime;
}

export interface OutgoingMailTable {
  id: string;
  kind: 'password-reset' | 'invitation' | 'account-changed' | 'email-change';
  email: string;
  organization_id: string | null;
  subject_id: string | null;
  detail: Generated<string>;
  created_at: DefaultTime;
  run_at: DefaultTime;
  tries: Generated<number>;
}

export interface MembershipTable {
  organization_id: string;
  account_id: string;
  role: 'viewer' | 'analyst' | 'owner';
  created_at: DefaultTime;
}

export interface SessionTable {
  id: string;
  organization_id: string;
  account_id: string;
  refresh_hash: Buffer;
  previous_hash: Buffer | null;
  rotated_at: DefaultTime;
  created_at: DefaultTime;
  last_used_at: DefaultTime;
  expires_at: Time;
  ended_at: NullableTime;
  user_agent: Generated<string>;
  address: Generated<string>;
}

export interface LoginFailureTable {
  id: string;
  account_key: Buffer;
  address: string;
  at: DefaultTime;
}

export interface ActivityTable {
  id: string;
  organization_id: string;
  at: DefaultTime;
  account_id: string | null;
  action: string;
  noun: string;
  noun_id: string | null;
  detail: Json<Record<string, unknown>>;
  actor: Generated<string>;
  name: Generated<string>;
  address: Generated<string>;
  via: Generated<'session' | 'token' | 'system'>;
}

export interface JobTable {
  id: string;
  organization_id: string;
  kind: string;
  payload: Json<object>;
  state: Generated<'queued' | 'running' | 'succeeded' | 'failed' | 'cancelled'>;
  phase: Generated<string>;
  done: Generated<number>;
  total: Generated<number>;
  file_id: string | null;
  vulnerability_id: string | null;
  waits_for: string | null;
  result: NullableJson<object>;
  error_code: string | null;
  error_message: string | null;
  attempt: Generated<number>;
  tries: Generated<number>;
  version: Generated<number>;
  created_at: DefaultTime;
  created_by: string | null;
  run_at: DefaultTime;
  rung_at: DefaultTime;
  heartbeat_at: NullableTime;
  started_at: NullableTime;
  finished_at: NullableTime;
}

/** What vulnerability and threat share: where a record comes from and what a person did to it. */
interface RecordTable {
  organization_id: string;
  id: string;
  key: string | null;
  name: string;
  description: Generated<string>;
  reference: Generated<string>;
  details: Json<Record<string, unknown>>;
  source_file: Generated<string>;
  source_modified: NullableTime;
  edited_fields: Generated<string[]>;
  withdrawn: 'revoked' | 'deprecated' | null;
  is_active: Generated<boolean>;
  version: Generated<number>;
  created_by: string | null;
  updated_by: string | null;
  created_at: DefaultTime;
  updated_at: DefaultTime;
}

export interface VulnerabilityTable extends RecordTable {
  severity: number | null;
  severity_description: Generated<string>;
  status: Generated<'open' | 'mitigated' | 'fixed' | 'accepted'>;
  cve_id: Generated<string>;
  cwe: Generated<string[]>;
  cvss_score: number | null;
  cvss_vector: Generated<string>;
  cvss_version: Generated<string>;
  cwss_score: number | null;
  category_id: number | null;
  exploitability: number | null;
  exploitability_description: Generated<string>;
  impact: number | null;
  remediation_level: Generated<string>;
  remediation_steps: Generated<string>;
  solution: Generated<string>;
  mitigation: Generated<string>;
  discovery_date: Day | null;
  fix_date: Day | null;
  applied_vignette: Generated<string>;
}

export interface ThreatTable extends RecordTable {
  threat_id: Generated<string>;
  kind: Generated<string>;
  threat_type_id: number | null;
  source: Generated<string>;
  threat_category: Generated<string>;
  motivation: number | null;
  motivation_description: Generated<string>;
  capability: number | null;
  capability_description: Generated<string>;
  likelihood: number | null;
  likelihood_description: Generated<string>;
  impact: number | null;
  impact_description: Generated<string>;
  risk_level: number | null;
  risk_level_source: Generated<string>;
  mitigation_strategy: Generated<string>;
}

export interface ProjectTable {
  organization_id: string;
  id: string;
  name: string;
  description: Generated<string>;
  objective: Generated<string>;
  start_date: Day;
  planned_end_date: Day | null;
  status: Generated<'active' | 'completed' | 'on-hold'>;
  client_organization_name: Generated<string>;
  organization_strategy: Generated<string>;
  rankings_name: Generated<string>;
  rankings_description: Generated<string>;
  rankings_reference: Generated<string>;
  version: Generated<number>;
  created_by: string | null;
  updated_by: string | null;
  created_at: DefaultTime;
  updated_at: DefaultTime;
}

export interface AssetTable {
  organization_id: string;
  id: string;
  project_id: string;
  name: string;
  description: Generated<string>;
  asset_type_id: number;
  criticality: number | null;
  replacement_cost: number | null;
  recovery_cost: number | null;
  confidentiality_level: number | null;
  confidentiality_description: Generated<string>;
  integrity_level: number | null;
  integrity_description: Generated<string>;
  availability_level: number | null;
  availability_description: Generated<string>;
  reference: Generated<string>;
  start_date: Day | null;
  is_active: Generated<boolean>;
  version: Generated<number>;
  created_by: string | null;
  updated_by: string | null;
  created_at: DefaultTime;
  updated_at: DefaultTime;
}

export interface AssetRelationTable {
  organization_id: string;
  asset_id: string;
  related_id: string;
}

export interface VulnerabilityAssetTable {
  organization_id: string;
  vulnerability_id: string;
  asset_id: string;
}

export interface ThreatAssetTable {
  organization_id: string;
  threat_id: string;
  asset_id: string;
}

export interface DeletedRecordTable {
  organization_id: string;
  noun: 'vulnerability' | 'threat' | 'asset' | 'project';
  id: string;
  data: Json<Record<string, unknown>>;
  links: Json<Record<string, unknown>>;
  deleted_by: string | null;
  deleted_at: DefaultTime;
}

export interface CweTable {
  id: number;
  name: string;
  data: Json<Omit<CweData, 'Name'>>;
  source: string;
  fetched_at: DefaultTime;
}

export interface SavedViewTable {
  organization_id: string;
  id: string;
  account_id: string;
  list: string;
  name: string;
  search: Json<Record<string, unknown>>;
  is_default: Generated<boolean>;
  created_at: DefaultTime;
}

export interface FileContentTable {
  organization_id: string;
  id: string;
  complete: Generated<boolean>;
  created_at: DefaultTime;
}

export interface FileChunkTable {
  organization_id: string;
  content_id: string;
  n: number;
  data: Buffer;
}

export interface ReportFileTable {
  organization_id: string;
  id: string;
  name: string;
  name_key: ColumnType<string, never, never>;
  content_id: string;
  media: 'json' | 'xml';
  size: number;
  sha256: Buffer;
  stix_version: string | null;
  wrapper: string | null;
  incomplete: Generated<boolean>;
  uploaded_at: DefaultTime;
  uploaded_by: string | null;
  parse_job_id: string;
  object_count: number | null;
  mapped: number | null;
  unmapped: number | null;
  failed: number | null;
  superseded: number | null;
  revoked: number | null;
  deprecated: number | null;
  vulnerability_records: number | null;
  threat_records: number | null;
  objects: NullableJson<Record<string, number>>;
  by_type: NullableJson<object>;
  warnings: Json<{ code: string; message: string; location?: string; count: number }[]>;
  vulnerability_count: Generated<number>;
  threat_count: Generated<number>;
}

export interface ReportRecordTable {
  organization_id: string;
  file_id: string;
  id: string;
  kind: 'vulnerability' | 'threat';
  key: string;
  ordinal: number;
  type: string;
  stix_id: string | null;
  source_ids: Generated<string[]>;
  stix_version: string | null;
  modified: NullableTime;
  state: 'active' | 'revoked' | 'deprecated';
  location: string;
  name: string;
  data: Json<Record<string, unknown>>;
  vulnerability_id: string | null;
  threat_id: string | null;
}

export interface ReportObjectTable {
  organization_id: string;
  file_id: string;
  reading: string;
  ordinal: number;
  outcome: 'unmapped' | 'failed' | 'superseded';
  type: string;
  stix_id: string | null;
  location: string;
  reason: string;
}

export interface ReportRelationTable {
  organization_id: string;
  file_id: string;
  reading: string;
  ordinal: number;
  n: number;
  type: string;
  source_id: string;
  target_id: string;
}

/** The tables as the migrations leave them; a test compares this with a live database. */
export interface Schema {
  organization: OrganizationTable;
  account: AccountTable;
  membership: MembershipTable;
  session: SessionTable;
  login_failure: LoginFailureTable;
  activity: ActivityTable;
  recovery_code: RecoveryCodeTable;
  password_reset: PasswordResetTable;
  email_change: EmailChangeTable;
  reset_request: ResetRequestTable;
  invitation: InvitationTable;
  api_token: ApiTokenTable;
  outgoing_mail: OutgoingMailTable;
  job: JobTable;
  vulnerability: VulnerabilityTable;
  threat: ThreatTable;
  project: ProjectTable;
  asset: AssetTable;
  asset_relation: AssetRelationTable;
  vulnerability_asset: VulnerabilityAssetTable;
  threat_asset: ThreatAssetTable;
  deleted_record: DeletedRecordTable;
  cwe: CweTable;
  saved_view: SavedViewTable;
  file_content: FileContentTable;
  file_chunk: FileChunkTable;
  report_file: ReportFileTable;
  report_record: ReportRecordTable;
  report_object: ReportObjectTable;
  report_relation: ReportRelationTable;
}
