import * as data from '../index.ts';
import { accountSchemas } from './accounts/accounts.ts';
import { emailChangeSchemas } from './accounts/email-change.ts';
import { invitationSchemas, memberSchemas } from './accounts/members.ts';
import { organizationSchemas } from './accounts/organizations.ts';
import { passwordSchemas } from './accounts/passwords.ts';
import { secondFactorSchemas } from './accounts/second-factor.ts';
import { sessionSchemas } from './accounts/sessions.ts';
import { tokenSchemas } from './accounts/tokens.ts';
import { activitySchemas } from './activity.ts';
import { alertRuleSchemas, alertSchemas, webhookDeliverySchemas, webhookSchemas } from './alerts.ts';
import { assetSchemas } from './assets.ts';
import { batchSchemas } from './batches.ts';
import { cvssSchemas } from './cvss.ts';
import { cwssSchemas } from './cwss.ts';
import { cweSchemas } from './cwe.ts';
import { healthSchemas } from './health.ts';
import { importSchemas } from './imports.ts';
import { jobSchemas } from './jobs.ts';
import { overviewSchemas } from './overview.ts';
import { projectSchemas } from './projects.ts';
import { reportSchemas } from './reports.ts';
import { riskReportSchemas } from './risk-report.ts';
import { searchSchemas } from './search.ts';
import { threatSchemas } from './threats.ts';
import { viewSchemas } from './views.ts';
import { vignetteSchemas } from './vignettes.ts';
import { vulnerabilitySchemas } from './vulnerabilities.ts';
import type { EndpointSchemas, EndpointTable } from '../endpoint.ts';

export * from './accounts/accounts.ts';
export * from './accounts/email-change.ts';
export * from './accounts/members.ts';
export * from './accounts/organizations.ts';
export * from './accounts/passwords.ts';
export * from './accounts/second-factor.ts';
export * from './accounts/sessions.ts';
export * from './accounts/tokens.ts';
export * from './activity.ts';
export * from './alerts.ts';
export * from './assets.ts';
export * from './asset-score.ts';
export * from './batches.ts';
export * from './common.ts';
export * from './cvss.ts';
export * from './cwss.ts';
export * from './cwe.ts';
export { newSchema } from './entity.ts';
export * from './events.ts';
export * from './health.ts';
export * from './imports.ts';
export * from './jobs.ts';
export * from './list.ts';
export * from './overview.ts';
export * from './projects.ts';
export * from './record-fields.ts';
export * from './records.ts';
export * from './reports.ts';
export * from './risk-report.ts';
export * from './search.ts';
export * from './suggestions.ts';
export * from './threats.ts';
export * from './views.ts';
export * from './vignettes.ts';
export * from './vulnerabilities.ts';

/** The endpoints of a noun with their schemas. */
const withSchemas = <T extends EndpointTable, S extends Readonly<Record<keyof T, EndpointSchemas>>>(
  table: T,
  schemas: S,
) =>
  Object.fromEntries(
    Object.entries(table).map(([name, endpoint]) => [name, { ...endpoint, ...schemas[name] }]),
  ) as { readonly [K in keyof T]: T[K] & S[K] };

export const accounts = withSchemas(data.accounts, accountSchemas);
export const activity = withSchemas(data.activity, activitySchemas);
export const alerts = withSchemas(data.alerts, alertSchemas);
export const alertRules = withSchemas(data.alertRules, alertRuleSchemas);
export const assets = withSchemas(data.assets, assetSchemas);
export const batches = withSchemas(data.batches, batchSchemas);
export const cvss = withSchemas(data.cvss, cvssSchemas);
export const cwss = withSchemas(data.cwss, cwssSchemas);
export const cwe = withSchemas(data.cwe, cweSchemas);
export const emailChange = withSchemas(data.emailChange, emailChangeSchemas);
export const health = withSchemas(data.health, healthSchemas);
export const imports = withSchemas(data.imports, importSchemas);
export const invitations = withSchemas(data.invitations, invitationSchemas);
export const jobs = withSchemas(data.jobs, jobSchemas);
export const members = withSchemas(data.members, memberSchemas);
export const organizations = withSchemas(data.organizations, organizationSchemas);
export const overview = withSchemas(data.overview, overviewSchemas);
export const passwords = withSchemas(data.passwords, passwordSchemas);
export const projects = withSchemas(data.projects, projectSchemas);
export const reports = withSchemas(data.reports, reportSchemas);
export const riskReport = withSchemas(data.riskReport, riskReportSchemas);
export const search = withSchemas(data.search, searchSchemas);
export const secondFactor = withSchemas(data.secondFactor, secondFactorSchemas);
export const sessions = withSchemas(data.sessions, sessionSchemas);
export const threats = withSchemas(data.threats, threatSchemas);
export const tokens = withSchemas(data.tokens, tokenSchemas);
export const views = withSchemas(data.views, viewSchemas);
export const vignettes = withSchemas(data.vignettes, vignetteSchemas);
export const webhookDeliveries = withSchemas(data.webhookDeliveries, webhookDeliverySchemas);
export const webhooks = withSchemas(data.webhooks, webhookSchemas);
export const vulnerabilities = withSchemas(data.vulnerabilities, vulnerabilitySchemas);

/** Every endpoint of the product, by noun, for code that walks all of them. */
export const contract = {
  accounts,
  activity,
  alertRules,
  alerts,
  assets,
  batches,
  cvss,
  cwss,
  cwe,
  emailChange,
  health,
  imports,
  invitations,
  jobs,
  members,
  organizations,
  overview,
  passwords,
  projects,
  reports,
  riskReport,
  search,
  secondFactor,
  sessions,
  threats,
  tokens,
  views,
  vignettes,
  vulnerabilities,
  webhookDeliveries,
  webhooks,
} as const;
