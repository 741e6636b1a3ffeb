import type { AlertRule } from '@riskboard/contract';
import { newId } from '@riskboard/db';
import { createWebhookVault } from '@riskboard/webhooks';
import { sql } from 'kysely';
import { requestEvaluations } from '../housekeeping/alert-rounds.ts';
import { makeAccount } from './mail-fixtures.ts';
import type { TestHarness } from './test-harness.ts';

export const webhookKey = 'k'.repeat(32);

interface RuleFields extends Partial<
  Pick<AlertRule, 'score' | 'threshold' | 'days' | 'digest' | 'mailTo' | 'webhookIds' | 'enabled'>
> {
  kind: AlertRule['kind'];
}

/** Rules, what they watch, and the alerts of an organization. */
export const alertHarness = (harness: TestHarness) => {
  const { organizationId, inside, database } = harness;
  const common = { organization_id: organizationId };
  let projectId: string | undefined;

  /** Runs the queued evaluations and deliveries. @returns the number of evaluations that were requested */
  const evaluate = async (): Promise<number> => {
    harness.recorded.messages.length = 0;
    const requested = await requestEvaluations(harness.deps, [organizationId]);
    const [job] = harness.recorded.messages;
    if (job) await harness.run(job.id);
    return requested;
  };

  return {
    evaluate,

    /** @returns the id */
    rule: ({ mailTo = [], webhookIds = [], ...fields }: RuleFields): Promise<string> =>
      inside(async (trx) => {
        const id = newId();
        await trx
          .insertInto('alert_rule')
          .values({ ...common, id, name: fields.kind, ...fields })
          .execute();
        for (const account_id of mailTo)
          await trx
            .insertInto('alert_rule_member')
            .values({ ...common, rule_id: id, account_id })
            .execute();
        for (const webhook_id of webhookIds)
          await trx
            .insertInto('alert_rule_webhook')
            .values({ ...common, rule_id: id, webhook_id })
            .execute();
        return id;
      }),

    /** @returns the account */
    async member(role: 'viewer' | 'analyst' | 'owner' = 'analyst'): Promise<string> {
      const id = await makeAccount(database);
      await database.system
        .insertInto('membership')
        .values({ ...common, account_id: id, role })
        .execute();
      return id;
    },

    /** @returns the id */
    webhook: (url: string, secret: string): Promise<string> =>
      inside(async (trx) => {
        const id = newId();
        const sealed = createWebhookVault(webhookKey).close(secret, id);
        await trx
          .insertInto('webhook')
          .values({ ...common, id, name: 'Chat', url, secret: sealed, key_hint: '' })
          .execute();
        return id;
      }),

    /** Open vulnerabilities of this severity, in one statement. @returns their ids */
    vulnerabilities: (severity: number, count = 1): Promise<string[]> =>
      inside(async (trx) => {
        const ids = Array.from({ length: count }, () => newId());
        await sql`
          insert into vulnerability (organization_id, id, name, severity)
          select ${organizationId}, id, 'Vulnerability ' || n, ${severity}
          from unnest(${ids}::uuid[]) with ordinality as row (id, n)`.execute(trx);
        return ids;
      }),

    /** An asset whose health and score follow from the number of its vulnerabilities. @returns its id */
    asset: (name = 'Server'): Promise<string> =>
      inside(async (trx) => {
        if (projectId === undefined) {
          projectId = newId();
          await sql`insert into project (organization_id, id, name, start_date)
            values (${organizationId}, ${projectId}, 'Shop', '2026-01-01')`.execute(trx);
        }
        const id = newId();
        await sql`insert into asset (organization_id, id, name, project_id, asset_type_id)
          values (${organizationId}, ${id}, ${name}, ${projectId}, 1)`.execute(trx);
        return id;
      }),

    relate: (assetId: string, ids: readonly string[]): Promise<void> =>
      inside(async (trx) => {
        await sql`insert into vulnerability_asset (organization_id, vulnerability_id, asset_id)
          select ${organizationId}, id, ${assetId} from unnest(${ids}::uuid[]) as id`.execute(trx);
      }),

    unrelate: (assetId: string): Promise<void> =>
      inside(async (trx) => {
        await sql`delete from vulnerability_asset where asset_id = ${assetId}`.execute(trx);
      }),

    /** Alerts in the order of their creation. */
    alerts: () =>
      inside((trx) =>
        trx
          .selectFrom('alert')
          .select(['id', 'kind', 'severity', 'title', 'description', 'count', 'link', 'for_owners'])
          .orderBy('id')
          .execute(),
      ),

    /** What an alert lists. @returns ids */
    subjects: async (alertId: string | undefined): Promise<string[]> => {
      const rows = await inside((trx) =>
        trx
          .selectFrom('alert_finding')
          .select('subject_id')
          .where('alert_id', '=', alertId ?? '')
          .execute(),
      );
      return rows.map(({ subject_id }) => subject_id);
    },

    mails: () =>
      database.system
        .selectFrom('outgoing_mail')
        .selectAll()
        .where('organization_id', '=', organizationId)
        .where('kind', '=', 'alerts')
        .orderBy('id')
        .execute(),

    deliveries: () => inside((trx) => trx.selectFrom('webhook_delivery').selectAll().orderBy('id').execute()),
  };
};
