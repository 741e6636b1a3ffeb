import type { OrganizationTransaction } from '@riskboard/db';
import { sql } from 'kysely';
import type { Caller } from '../lib/security/caller.ts';
import { overviewMetrics } from '../overview/metrics.ts';
import { organizationTables } from './organization-tables.ts';
import { projectTables } from './project-tables.ts';
import { recordTables } from './record-tables.ts';
import type { RiskReport } from './report.ts';

interface Names {
  organization: string;
  author: string;
  project: string | null;
}

/** The risk report of the organization, or of one of its projects. @throws Failure 404 */
export async function readRiskReport(
  trx: OrganizationTransaction,
  { accountId }: Pick<Caller, 'accountId'>,
  projectId: string | undefined,
): Promise<RiskReport> {
  const metrics = await overviewMetrics(trx);
  // First, because a project that does not exist is refused here.
  const numbers =
    projectId === undefined ? await organizationTables(trx, metrics) : await projectTables(trx, projectId);
  const { rows } = await sql<Names>`
    select coalesce(nullif(o.name, ''), 'Organization') as organization,
      (select trim(first_name || ' ' || last_name) from account where id = ${accountId}) as author,
      (select name from project p where p.organization_id = o.organization_id and p.id = ${projectId ?? null}::uuid) as project
    from organization o where o.organization_id = current_organization()`.execute(trx);
  const names = rows[0] ?? { organization: 'Organization', author: '', project: null };
  return {
    organization: names.organization,
    subject: names.project ?? names.organization,
    isProject: projectId !== undefined,
    asOf: metrics.asOf,
    author: names.author,
    headline: projectId === undefined ? metrics.headline.map(({ text }) => text) : [],
    tables: [...numbers, ...(await recordTables(trx, projectId))],
  };
}
