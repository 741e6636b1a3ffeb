import { alertRules, alerts, type Reply, webhookDeliveries, webhooks, type User } from '@riskboard/contract';
import { Alert, AlertRule, Webhook, WebhookDelivery } from '@riskboard/contract/schemas';
import { fakeApi, pageOf, type FakeApi } from './fake-api.ts';
import { newId, userOf } from './rows.ts';
import { answer, server } from './server.ts';
import { accounts } from '@riskboard/contract';

const at = '2026-11-20T10:00:00.000Z';

export const alertOf = (change: Partial<Alert> = {}): Alert =>
  Alert.parse({
    _id: newId(),
    kind: 'critical-vulnerability',
    severity: 'critical',
    title: 'New critical vulnerability: Log4Shell',
    description: 'Severity 10.',
    count: 1,
    link: '/dashboard/vulnerabilities?severity=critical',
    ruleId: null,
    rule: 'Critical ones',
    createdAt: at,
    read: false,
    ...change,
  } satisfies Alert);

export const ruleOf = (change: Partial<AlertRule> = {}): AlertRule =>
  AlertRule.parse({
    _id: newId(),
    name: 'Critical ones',
    kind: 'critical-vulnerability',
    enabled: true,
    score: null,
    threshold: null,
    days: null,
    digest: 'immediately',
    mailTo: [],
    webhookIds: [],
    lastAlertAt: null,
    createdAt: at,
    createdBy: 'Ada Lovelace',
    version: 1,
    ...change,
  } satisfies AlertRule);

export const webhookOf = (change: Partial<Webhook> = {}): Webhook =>
  Webhook.parse({
    _id: newId(),
    name: 'Security chat',
    url: 'https://example.org/hook',
    enabled: true,
    disabledReason: null,
    disabledAt: null,
    secretHint: 'x9Qz',
    previousSecretUntil: null,
    failingSince: null,
    lastDelivery: null,
    rules: 2,
    createdAt: at,
    createdBy: 'Ada Lovelace',
    version: 1,
    ...change,
  } satisfies Webhook);

export const deliveryOf = (change: Partial<WebhookDelivery> = {}): WebhookDelivery =>
  WebhookDelivery.parse({
    _id: newId(),
    webhookId: newId(),
    webhook: 'Security chat',
    type: 'alert.created',
    alertId: newId(),
    alert: 'New critical vulnerability: Log4Shell',
    state: 'delivered',
    attempts: 1,
    statusCode: 200,
    durationMs: 240,
    error: null,
    createdAt: at,
    lastAttemptAt: at,
    nextAttemptAt: null,
    ...change,
  } satisfies WebhookDelivery);

export interface AlertsApi extends FakeApi {
  alerts: Alert[];
  rules: AlertRule[];
  webhooks: Webhook[];
  /** Members that a rule can notify. */
  members: AlertChannels['members'];
  deliveries: WebhookDelivery[];
  /** Bodies of the calls that marked alerts as read. */
  readonly reads: unknown[];
  /** Calls that listed alerts. */
  readonly lists: URL[];
}

type AlertChannels = Reply<typeof alertRules.channels>;

const members: AlertChannels['members'] = [
  { _id: newId(), name: 'Ada Lovelace', email: 'ada@example.org', role: 'owner' },
  { _id: newId(), name: 'Ben Okafor', email: 'ben@example.org', role: 'analyst' },
];

/** An API with alerts, rules and webhooks. A test changes the returned data and overrides single endpoints. */
export function alertsApi(change: Partial<User> = {}): AlertsApi {
  const user = userOf(change);
  const api: AlertsApi = Object.assign(fakeApi(), {
    alerts: [],
    rules: [],
    webhooks: [],
    members,
    deliveries: [],
    reads: [],
    lists: [],
  });
  const unread = () => Math.min(100, api.alerts.filter(({ read }) => !read).length);
  server.use(
    answer(accounts.me, () => ({ user })),
    answer(alerts.unread, () => ({ unread: unread() })),
    answer(alerts.list, ({ url }) => {
      api.lists.push(url);
      const read = url.searchParams.getAll('read');
      const kinds = url.searchParams.getAll('kind');
      const found = api.alerts.filter(
        (alert) =>
          (read.length === 0 || read.includes(String(alert.read))) &&
          (kinds.length === 0 || kinds.includes(alert.kind)),
      );
      const { rows, ...page } = pageOf(found, url);
      return { alerts: rows, ...page };
    }),
    answer(alerts.read, async ({ request }) => {
      const body = (await request.json()) as { ids?: string[]; until?: string };
      api.reads.push(body);
      api.alerts = api.alerts.map((alert) => ({
        ...alert,
        read:
          alert.read ||
          (body.ids === undefined ? alert._id <= (body.until ?? '') : body.ids.includes(alert._id)),
      }));
      return { unread: unread() };
    }),
    answer(alertRules.channels, () => ({
      mail: true,
      members: api.members,
      webhooks: api.webhooks.map(({ _id, name, enabled }) => ({ _id, name, enabled })),
    })),
    answer(alertRules.list, () => ({ rules: api.rules, total: api.rules.length })),
    answer(webhooks.list, () => ({
      webhooks: api.webhooks,
      total: api.webhooks.length,
      privateAllowed: false,
    })),
    answer(webhookDeliveries.list, ({ url }) => ({
      deliveries: api.deliveries.filter(({ state }) =>
        [null, state].includes(url.searchParams.get('state') as typeof state | null),
      ),
      nextCursor: null,
    })),
  );
  return api;
}
