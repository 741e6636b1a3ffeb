import { formatCount } from '@riskboard/domain';
import { sql } from 'kysely';
import { product } from '../email.ts';
import type { EmailTemplate } from './email-template.ts';
import { plainText, unlinkedText } from './plain-text.ts';

/** Alerts that one mail lists; the inbox has all. */
const mostListed = 20;

interface Row {
  email: string;
  organization: string;
  title: string;
  description: string;
  link: string;
  all: number;
}

/**
 * The alerts of a member: one, or a digest. Nothing is sent to someone who left the organization, whose address is not
 * confirmed, or whose role no longer shows the alerts.
 */
export const alertsEmail: EmailTemplate = async ({ system, origin, verifyEmail }, mail) => {
  const { rows } = await sql<Row>`
    select account.email, o.name as organization, alert.title, alert.description, alert.link,
      count(*) over ()::int as all
    from alert_mail item
    join membership m using (organization_id, account_id)
    join account on account.id = item.account_id
    join organization o on o.organization_id = item.organization_id and o.deleting_at is null
    join alert on alert.organization_id = item.organization_id and alert.id = item.alert_id
    where item.mail_id = ${mail.id} and item.organization_id = ${mail.organizationId}
      and (m.role = 'owner' or not alert.for_owners)
      and (account.email_verified_at is not null or not ${verifyEmail}::boolean)
    order by alert.id desc limit ${mostListed}`.execute(system);
  const [first] = rows;
  if (!first) return undefined;
  const organization = unlinkedText(first.organization) || 'your organization';
  const single = first.all === 1;
  const listed = rows.map(({ title, description }) =>
    [unlinkedText(title), unlinkedText(description)].filter((text) => text !== '').join(' – '),
  );
  const rest = first.all - rows.length;
  return {
    to: first.email,
    subject: single
      ? plainText(first.title)
      : `${formatCount(first.all)} alerts of ${plainText(first.organization) || product}`,
    paragraphs: [
      single
        ? `${product} has an alert of ${organization}:`
        : `${product} has these alerts of ${organization}:`,
      ...listed,
      ...(rest > 0 ? [`and ${formatCount(rest)} more.`] : []),
    ],
    action: single
      ? { label: 'Open', url: `${origin}${first.link}` }
      : { label: 'Open the inbox', url: `${origin}/dashboard/alerts` },
    notes: [
      `You get this email because an alert rule of your organization names you, or because you are an owner. Analysts change the rules at ${origin}/dashboard/settings/alerts.`,
    ],
  };
};
