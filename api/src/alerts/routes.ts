import { changedEvent } from '@riskboard/contract';
import { alertRules, alerts, webhookDeliveries, webhooks } from '@riskboard/contract/schemas';
import { type OrganizationTransaction, withOrganization } from '@riskboard/db';
import type { FastifyInstance } from 'fastify';
import type { Deps } from '../deps.ts';
import { sendVersion } from '../lib/http/if-match.ts';
import { serve } from '../lib/http/serve.ts';
import { afterCommit } from '../lib/publish.ts';
import type { Caller } from '../lib/security/caller.ts';
import { getDelivery, listDeliveries, retryDelivery, testWebhook } from './deliveries.ts';
import { countUnread, markRead } from './inbox.ts';
import { listAlerts } from './list-alerts.ts';
import { createRule, deleteRule, listChannels, listRules, restoreRule, updateRule } from './rules.ts';
import { createWebhook, deleteWebhook, listWebhooks, rotateSecret, updateWebhook } from './webhooks.ts';

const deleted = (id: string) => ({ success: true as const, _id: id, id });

/** Alerts: inbox, rules, webhooks and their deliveries. */
export function alertRoutes(app: FastifyInstance, deps: Deps): void {
  const { database, config } = deps;
  const after = afterCommit(deps, app.log);
  const inside = <T>(caller: Caller, work: (trx: OrganizationTransaction) => Promise<T>): Promise<T> =>
    withOrganization(database, caller.organizationId, work);

  const publish = (caller: Caller): Promise<void> =>
    after.events(caller.organizationId, [
      changedEvent('alert.changed', { action: 'changed', by: caller.accountId }, 1),
    ]);

  serve(
    app,
    { tag: 'alerts', table: alerts },
    {
      list: ({ caller, query }) =>
        inside(caller, (trx) =>
          listAlerts(trx, { accountId: caller.accountId, owner: caller.role === 'owner' }, query),
        ),
      unread: ({ caller }) => inside(caller, async (trx) => ({ unread: await countUnread(trx, caller) })),

      async read({ caller, body }) {
        const unread = await inside(caller, async (trx) => {
          await markRead(trx, caller, body);
          return countUnread(trx, caller);
        });
        // Other tabs of the reader show the same count.
        await publish(caller);
        return { unread };
      },
    },
  );

  serve(
    app,
    { tag: 'alerts', table: alertRules },
    {
      list: ({ caller }) => inside(caller, listRules),
      channels: ({ caller }) =>
        inside(caller, (trx) => listChannels(trx, { mail: config.verifyEmail ?? false })),

      async create({ caller, body, reply }) {
        const rule = await inside(caller, (trx) => createRule(trx, caller, body));
        await publish(caller);
        return sendVersion(reply, rule);
      },

      async update({ caller, params, body, request, reply }) {
        const rule = await inside(caller, (trx) =>
          updateRule(trx, { caller, request }, { id: params.id, change: body }),
        );
        await publish(caller);
        return sendVersion(reply, rule);
      },

      async delete({ caller, params, request }) {
        await inside(caller, (trx) => deleteRule(trx, { caller, request }, params.id));
        await publish(caller);
        return deleted(params.id);
      },

      async restore({ caller, params }) {
        const rule = await inside(caller, (trx) => restoreRule(trx, caller, params.id));
        await publish(caller);
        return rule;
      },
    },
  );

  serve(
    app,
    { tag: 'webhooks', table: webhooks },
    {
      list: ({ caller }) => inside(caller, (trx) => listWebhooks(trx, config)),

      async create({ caller, body, reply }) {
        const webhook = await inside(caller, (trx) => createWebhook(trx, { caller, config }, body));
        await publish(caller);
        return sendVersion(reply, webhook);
      },

      async update({ caller, params, body, request, reply }) {
        const webhook = await inside(caller, (trx) =>
          updateWebhook(trx, { caller, config, request }, { id: params.id, change: body }),
        );
        await publish(caller);
        return sendVersion(reply, webhook);
      },

      async delete({ caller, params, request }) {
        await inside(caller, (trx) => deleteWebhook(trx, { caller, request }, params.id));
        await publish(caller);
        return deleted(params.id);
      },

      async rotateSecret({ caller, params, body, request, reply }) {
        const webhook = await inside(caller, (trx) =>
          rotateSecret(
            trx,
            { caller, config, request, database },
            { id: params.id, overlapHours: body.overlapHours },
          ),
        );
        await publish(caller);
        return sendVersion(reply, webhook);
      },

      async test({ caller, params }) {
        const { deliveryId, job } = await inside(caller, (trx) => testWebhook(trx, caller, params.id));
        await after.jobsQueued([job]);
        await publish(caller);
        return { deliveryId, message: 'The test message is sent now; the delivery log shows its result.' };
      },
    },
  );

  serve(
    app,
    { tag: 'webhooks', table: webhookDeliveries },
    {
      list: ({ caller, query }) => inside(caller, (trx) => listDeliveries(trx, query)),
      get: ({ caller, params }) => inside(caller, (trx) => getDelivery(trx, params.id)),

      async retry({ caller, params }) {
        const { delivery, job } = await inside(caller, (trx) => retryDelivery(trx, caller, params.id));
        await after.jobsQueued([job]);
        await publish(caller);
        return delivery;
      },
    },
  );
}
