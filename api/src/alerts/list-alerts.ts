import type { Alert, alerts, Call } from '@riskboard/contract';
import { type AlertReader, alertSource, type OrganizationTransaction } from '@riskboard/db';
import { showPage } from '../lib/list.ts';

type Query = Call<typeof alerts.list>['query'];

interface AlertRow {
  id: string;
  kind: Alert['kind'];
  severity: Alert['severity'];
  title: string;
  description: string;
  count: number;
  link: string;
  rule_id: string | null;
  rule_name: string | null;
  created_at: Date;
  read: boolean;
}

const presentAlert = (row: AlertRow): Alert => ({
  _id: row.id,
  kind: row.kind,
  severity: row.severity,
  title: row.title,
  description: row.description,
  count: row.count,
  link: row.link,
  ruleId: row.rule_id,
  rule: row.rule_name,
  createdAt: row.created_at.toISOString(),
  read: row.read,
});

/** One page of the inbox, limited to what the member may see. @throws Failure 422 for a cursor of another list */
export async function listAlerts(trx: OrganizationTransaction, reader: AlertReader, query: Query) {
  const { rows, ...page } = await showPage(trx, alertSource(reader), { query, present: presentAlert });
  return { alerts: rows, ...page };
}
