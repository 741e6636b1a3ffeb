import { sql } from 'kysely';
import { product } from '../email.ts';
import type { EmailTemplate } from './email-template.ts';
import { plainText, unlinkedText } from './plain-text.ts';

interface Row {
  email: string;
  organization: string;
  projectId: string | null;
  every: 'week' | 'month';
}

const often = { week: 'weekly', month: 'monthly' } as const;

/**
 * Says that a risk report is due, with its address and none of its numbers: reading it needs a session. Nothing is sent
 * to someone who left the organization or whose address is not confirmed.
 */
export const riskReportEmail: EmailTemplate = async ({ system, origin, verifyEmail }, mail) => {
  const { rows } = await sql<Row>`
    select account.email, o.name as organization, s.project_id as "projectId", s.every
    from report_schedule s
    join membership m on m.organization_id = s.organization_id and m.account_id = s.account_id
    join account on account.id = s.account_id
    join organization o on o.organization_id = s.organization_id and o.deleting_at is null
    where s.organization_id = ${mail.organizationId} and s.id = ${mail.subjectId}
      and (account.email_verified_at is not null or not ${verifyEmail}::boolean)`.execute(system);
  const [row] = rows;
  if (!row) return undefined;
  const organization = unlinkedText(row.organization) || 'your organization';
  const name = row.projectId === null ? organization : `a project of ${organization}`;
  const query = row.projectId === null ? '' : `?projectId=${row.projectId}`;
  return {
    to: row.email,
    subject: `Risk report of ${plainText(row.organization) || product}`,
    paragraphs: [
      `The ${often[row.every]} risk report of ${name} is due. It shows the numbers of the moment at which you open it.`,
    ],
    action: { label: 'Open the report', url: `${origin}/dashboard/report${query}` },
    notes: ['You get this email because you asked for it on the page of the report, where you can stop it.'],
  };
};
