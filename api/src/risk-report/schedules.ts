import { mostReportSchedules } from '@riskboard/contract';
import type { ReportSchedule } from '@riskboard/contract/schemas';
import { foreignKeyLock, lockMembership, nextReportAt, type OrganizationTransaction } from '@riskboard/db';
import { formatCount } from '@riskboard/domain';
import { sql } from 'kysely';
import { Failure, invalidField } from '../lib/http/failure.ts';
import type { Caller } from '../lib/security/caller.ts';

type Member = Pick<Caller, 'accountId'>;

/** The schedules of a member: of the organization first, then of projects by name. */
export async function reportSchedules(
  trx: OrganizationTransaction,
  { accountId }: Member,
): Promise<ReportSchedule[]> {
  const { rows } = await sql<Omit<ReportSchedule, 'nextAt'> & { nextAt: Date }>`
    select s.project_id as "projectId", p.name as "projectName", s.every, s.next_at as "nextAt"
    from report_schedule s
    left join project p on p.organization_id = s.organization_id and p.id = s.project_id
    where s.organization_id = current_organization() and s.account_id = ${accountId}
    order by p.name nulls first, s.id`.execute(trx);
  return rows.map(({ nextAt, ...schedule }) => ({ ...schedule, nextAt: nextAt.toISOString() }));
}

/**
 * Sets or deletes the schedule of a member.
 * @throws Failure 404 for an unknown project, 422 for one schedule too many
 */
export async function setReportSchedule(
  trx: OrganizationTransaction,
  { accountId }: Member,
  { projectId, every }: Pick<ReportSchedule, 'projectId' | 'every'>,
): Promise<ReportSchedule> {
  await lockMembership(trx, accountId);
  const { rows: projects } = await sql<{ name: string }>`
    select name from project where organization_id = current_organization() and id = ${projectId}
    ${foreignKeyLock('project')}`.execute(trx);
  const [project] = projects;
  if (projectId !== null && project === undefined) throw new Failure('not_found', 'Project not found.');
  const projectName = project?.name ?? null;
  if (every === 'never') {
    await sql`
      delete from report_schedule
      where organization_id = current_organization() and account_id = ${accountId}
        and project_id is not distinct from ${projectId}::uuid`.execute(trx);
    return { projectId, projectName, every, nextAt: null };
  }
  await requireFewSchedules(trx, { accountId }, projectId);
  const { rows } = await sql<{ nextAt: Date }>`
    insert into report_schedule as s (organization_id, account_id, project_id, every, next_at)
    select current_organization(), ${accountId}, ${projectId}::uuid, every, ${nextReportAt} from (select ${every}::text as every) chosen
    on conflict (organization_id, account_id, project_id) do update set every = excluded.every, next_at = excluded.next_at
    returning next_at as "nextAt"`.execute(trx);
  return { projectId, projectName, every, nextAt: rows[0]?.nextAt.toISOString() ?? null };
}

/** Under the lock of the membership. @throws Failure 422 when a further schedule of the member is not allowed */
async function requireFewSchedules(
  trx: OrganizationTransaction,
  { accountId }: Member,
  projectId: string | null,
): Promise<void> {
  const { rows } = await sql<{ count: number; exists: boolean | null }>`
    select count(*)::int as count, bool_or(project_id is not distinct from ${projectId}::uuid) as exists
    from report_schedule
    where organization_id = current_organization() and account_id = ${accountId}`.execute(trx);
  const [kept] = rows;
  if (kept !== undefined && kept.count >= mostReportSchedules && kept.exists !== true)
    throw invalidField(
      'every',
      `You have at most ${formatCount(mostReportSchedules)} scheduled reports. Stop one first.`,
    );
}
