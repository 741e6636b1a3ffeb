import { alertRules, alerts, webhookDeliveries, webhooks } from '@riskboard/contract/schemas';
import { withOrganization } from '@riskboard/db';
import type { FastifyInstance } from 'fastify';
import type { Deps } from '../deps.ts';
import { Failure } from '../lib/http/failure.ts';
import { serve } from '../lib/http/serve.ts';
import { listAlerts } from './list-alerts.ts';

const notBuilt = (): Promise<never> =>
  Promise.reject(new Failure('not_found', 'This call is not built yet.'));

/** Alerts: inbox, rules, webhooks and their deliveries. */
export function alertRoutes(app: FastifyInstance, { database }: Deps): void {
  serve(
    app,
    { tag: 'alerts', table: alerts },
    {
      list: ({ query, caller }) =>
        withOrganization(database, caller.organizationId, (trx) =>
          listAlerts(trx, { accountId: caller.accountId, owner: caller.role === 'owner' }, query),
        ),
      unread: notBuilt,
      read: notBuilt,
    },
  );
  serve(
    app,
    { tag: 'alerts', table: alertRules },
    { list: notBuilt, create: notBuilt, update: notBuilt, delete: notBuilt, channels: notBuilt },
  );
  serve(
    app,
    { tag: 'webhooks', table: webhooks },
    {
      list: notBuilt,
      create: notBuilt,
      update: notBuilt,
      delete: notBuilt,
      rotateSecret: notBuilt,
      test: notBuilt,
    },
  );
  serve(
    app,
    { tag: 'webhooks', table: webhookDeliveries },
    { list: notBuilt, get: notBuilt, retry: notBuilt },
  );
}
