import { mostUnread } from '../alert-inbox.ts';
import {
  alertDigests,
  alertKinds,
  alertList,
  alertRuleKinds,
  alertSeverities,
  deliveryStates,
  nothingImportedDays,
  mostMailRecipients,
  mostWebhooks,
  secretOverlapHours,
  watchedScores,
  webhookDisabledReasons,
  webhookTypes,
  type AlertDigest,
  type AlertRuleKind,
  type WatchedScore,
} from '../alerts.ts';
import { roles, type SchemaTable } from '../endpoint.ts';
import { Deleted, Id, IdParams, Name, Time } from './common.ts';
import { listFields, listSchemas } from './list.ts';
import { z } from 'zod';

const keysOf = <K extends string>(table: Readonly<Record<K, unknown>>) =>
  z.enum(Object.keys(table) as [K, ...K[]]);

const RuleKind = keysOf<AlertRuleKind>(alertRuleKinds);

/** Rows of a page; the reply names the cursor of the next one. */
const cursorFields = {
  cursor: z.string().max(500).optional().describe('The `nextCursor` of the page before.'),
  limit: z.coerce.number().int().min(1).max(100).default(30).describe('Rows of a page.'),
};

const Unread = z.int().min(0).max(mostUnread);

/** An alert of the inbox of all members; `read` is the caller's own mark. */
export const Alert = z
  .object({
    _id: Id,
    kind: z.enum(alertKinds),
    severity: z.enum(alertSeverities),
    title: z.string(),
    description: z.string(),
    count: z.int().min(1).describe('Findings in the alert; more than 1 for a digest of many findings.'),
    link: z.string().startsWith('/dashboard').describe('Page with the findings.'),
    ruleId: Id.nullable().describe(
      'Null once the rule is deleted and can no longer be restored, and for alerts without a rule.',
    ),
    rule: z.string().nullable().describe('Name of the rule when it found this; null without one.'),
    createdAt: Time,
    read: z.boolean(),
  })
  .meta({ id: 'Alert' });
export type Alert = z.infer<typeof Alert>;

const alertListSchemas = listSchemas(alertList);

export const alertSchemas = {
  list: {
    summary: 'Alerts of the organization, newest first, with your own marks of what you read',
    query: alertListSchemas.query,
    reply: { 200: z.object({ alerts: z.array(Alert), ...listFields }) },
  },
  unread: {
    summary: `Number of your unread alerts, counted up to ${mostUnread}`,
    reply: { 200: z.object({ unread: Unread }) },
  },
  read: {
    summary: 'Mark alerts as read for yourself: some, or all up to the newest one that you were shown',
    body: z
      .object({
        ids: z.array(Id).min(1).max(100).optional(),
        until: Id.optional().describe(
          'With `all`: alerts that are newer than this one stay unread. Absent: all of now.',
        ),
        all: z.literal(true).optional(),
      })
      .refine(({ ids, all }) => (ids === undefined) !== (all === undefined), {
        path: ['ids'],
        message: 'Send either ids or all.',
      }),
    reply: { 200: z.object({ unread: Unread }) },
  },
} satisfies SchemaTable;

/** `version`: for `If-Match`. */
export const AlertRule = z
  .object({
    _id: Id,
    name: z.string(),
    kind: RuleKind,
    enabled: z.boolean(),
    /** Of `score-above`; null otherwise. */
    score: keysOf<WatchedScore>(watchedScores).nullable(),
    threshold: z.number().nullable(),
    days: z.int().nullable().describe('Of `nothing-imported`; null otherwise.'),
    /** When its emails are sent. */
    digest: keysOf<AlertDigest>(alertDigests),
    mailTo: z
      .array(Id)
      .describe('Members who get emails; those who left the organization are not among them.'),
    webhookIds: z.array(Id),
    lastAlertAt: Time.nullable(),
    createdAt: Time,
    createdBy: z.string(),
    version: z.int(),
  })
  .meta({ id: 'AlertRule' });
export type AlertRule = z.infer<typeof AlertRule>;

const ruleFields = {
  name: Name.max(100),
  enabled: z.boolean().optional(),
  score: keysOf<WatchedScore>(watchedScores).optional(),
  threshold: z.number().min(0).max(100).optional(),
  days: z.int().min(nothingImportedDays.least).max(nothingImportedDays.most).optional(),
  digest: keysOf<AlertDigest>(alertDigests).optional(),
  mailTo: z.array(Id).max(mostMailRecipients).optional(),
  webhookIds: z.array(Id).max(mostWebhooks).optional(),
};

export const alertRuleSchemas = {
  list: {
    summary: 'Rules that create alerts',
    reply: { 200: z.object({ rules: z.array(AlertRule), total: z.int() }) },
  },
  create: {
    summary: 'Create a rule; it is enabled and mails immediately unless the body says otherwise',
    body: z.object({ kind: RuleKind, ...ruleFields }),
    reply: { 201: AlertRule },
  },
  update: {
    summary: 'Change a rule; a stale If-Match gets 412; the kind stays',
    params: IdParams,
    body: z.object({ ...ruleFields, name: ruleFields.name.optional() }),
    reply: { 200: AlertRule },
  },
  delete: {
    summary: 'Delete a rule; its alerts stay in the inbox; it can be restored for an hour',
    params: IdParams,
    reply: { 200: Deleted },
  },
  restore: {
    summary: 'Restore a deleted rule; it reports nothing again that it has reported',
    params: IdParams,
    reply: { 200: AlertRule },
  },
  channels: {
    summary: 'Members and webhooks that a rule can notify',
    reply: {
      200: z.object({
        mail: z.boolean().describe('Whether the operator has set up a mail server.'),
        members: z.array(z.object({ _id: Id, name: z.string(), email: z.string(), role: z.enum(roles) })),
        webhooks: z.array(z.object({ _id: Id, name: z.string(), enabled: z.boolean() })),
      }),
    },
  },
} satisfies SchemaTable;

const DeliveryState = z.enum(deliveryStates);

/** `version`: for `If-Match`. */
export const Webhook = z
  .object({
    _id: Id,
    name: z.string(),
    url: z.string(),
    enabled: z.boolean(),
    disabledReason: z.enum(webhookDisabledReasons).nullable().describe('Null while it is enabled.'),
    disabledAt: Time.nullable(),
    secretHint: z.string().describe('The last characters of the secret, to distinguish secrets.'),
    previousSecretUntil: Time.nullable().describe(
      'Until then a secret from before the last rotation signs, too; null without one.',
    ),
    failingSince: Time.nullable().describe(
      'First failed attempt since the last successful one; null while deliveries succeed.',
    ),
    lastDelivery: z.object({ state: DeliveryState, at: Time, statusCode: z.int().nullable() }).nullable(),
    rules: z.int().describe('Rules that use it.'),
    createdAt: Time,
    createdBy: z.string(),
    version: z.int(),
  })
  .meta({ id: 'Webhook' });
export type Webhook = z.infer<typeof Webhook>;

/** The secret is shown once: `whsec_` and base64. */
const WithSecret = Webhook.extend({ secret: z.string() });

const webhookFields = {
  name: Name.max(100),
  url: z.string().trim().min(1, 'Enter an address.').max(2000),
};

export const webhookSchemas = {
  list: {
    summary: 'Webhooks of the organization',
    reply: {
      200: z.object({
        webhooks: z.array(Webhook),
        total: z.int(),
        privateAllowed: z.boolean().describe('Whether the operator allows http and private addresses.'),
      }),
    },
  },
  create: {
    summary: 'Create a webhook; its secret is in this reply only',
    body: z.object(webhookFields),
    reply: { 201: WithSecret },
  },
  update: {
    summary: 'Change, disable or enable a webhook; a stale If-Match gets 412',
    params: IdParams,
    body: z.object({
      name: webhookFields.name.optional(),
      url: webhookFields.url.optional(),
      enabled: z.boolean().optional(),
    }),
    reply: { 200: Webhook },
  },
  delete: {
    summary: 'Delete a webhook and its delivery log; rules no longer use it',
    params: IdParams,
    reply: { 200: Deleted },
  },
  rotateSecret: {
    summary:
      'Create another secret; both sign until the overlap ends; the new one is in this reply only. While the previous secret of an earlier rotation signs, only the current one is replaced: it stops signing at once, and the previous one signs until `previousSecretUntil` as before. With `overlapHours` 0 only the new secret signs',
    params: IdParams,
    body: z.object({
      overlapHours: z
        .int()
        .min(secretOverlapHours.least)
        .max(secretOverlapHours.most)
        .default(secretOverlapHours.standard),
    }),
    reply: { 200: WithSecret },
  },
  test: {
    summary: 'Deliver a test message to a webhook; the delivery log shows the result',
    params: IdParams,
    reply: { 202: z.object({ deliveryId: Id, message: z.string() }) },
  },
} satisfies SchemaTable;

export const WebhookDelivery = z
  .object({
    _id: Id,
    webhookId: Id,
    webhook: z.string().describe('Name of the webhook.'),
    type: z.enum(webhookTypes),
    alertId: Id.nullable(),
    alert: z
      .string()
      .nullable()
      .describe('Title of the alert; null for a test, and once the alert is deleted.'),
    state: DeliveryState,
    attempts: z.int(),
    statusCode: z.int().nullable().describe('Of the last attempt; null without a reply.'),
    durationMs: z.int().nullable(),
    error: z
      .string()
      .nullable()
      .describe("Why the last attempt failed, as in 'The address did not reply within 10 seconds.'."),
    createdAt: Time,
    lastAttemptAt: Time.nullable(),
    nextAttemptAt: Time.nullable().describe('Null unless it waits for an attempt.'),
  })
  .meta({ id: 'WebhookDelivery' });
export type WebhookDelivery = z.infer<typeof WebhookDelivery>;

/** The most subjects whose ids a message names. */
export const mostMessageSubjects = 100;

/**
 * The messages of webhooks, in the form of Standard Webhooks: type, timestamp and data. They name ids, counts and links;
 * names and texts of vulnerabilities, assets and files stay in Riskboard.
 */
export const webhookMessages = {
  'alert.created': z
    .object({
      type: z.literal('alert.created'),
      timestamp: Time.describe('When the alert was created.'),
      data: z.object({
        id: Id.describe('The id of the alert.'),
        kind: z.enum(alertKinds),
        severity: z.enum(alertSeverities),
        count: z.int().min(1).describe('Findings in the alert; more than 1 for a digest of many findings.'),
        url: z.string().describe('The page with the findings.'),
        rule: z.object({ id: Id, name: z.string() }),
        subjectIds: z
          .array(z.string())
          .max(mostMessageSubjects)
          .describe(`The records that were found, the first ${mostMessageSubjects} of them.`),
      }),
    })
    .meta({ id: 'AlertCreatedMessage' }),
  'webhook.test': z
    .object({
      type: z.literal('webhook.test'),
      timestamp: Time,
      data: z.object({ webhookId: Id, message: z.string() }),
    })
    .meta({ id: 'WebhookTestMessage' }),
} as const satisfies Record<(typeof webhookTypes)[number], z.ZodType>;
export type WebhookMessage<T extends keyof typeof webhookMessages> = z.infer<(typeof webhookMessages)[T]>;

const WebhookAttempt = z.object({
  at: Time,
  statusCode: z.int().nullable(),
  durationMs: z.int(),
  error: z.string().nullable(),
});

export const webhookDeliverySchemas = {
  list: {
    summary: 'Deliveries to webhooks, newest first; kept for 30 days',
    query: z.strictObject({
      ...cursorFields,
      webhookId: Id.optional().describe('Only deliveries to this webhook.'),
      state: DeliveryState.optional().describe('Only deliveries in this state.'),
    }),
    reply: {
      200: z.object({ deliveries: z.array(WebhookDelivery), nextCursor: z.string().nullable() }),
    },
  },
  get: {
    summary: 'One delivery with its attempts and the JSON that is sent',
    params: IdParams,
    reply: { 200: WebhookDelivery.extend({ log: z.array(WebhookAttempt), payload: z.string() }) },
  },
  retry: {
    summary: 'Deliver again, with the same webhook-id; attempts start from the first delay',
    params: IdParams,
    reply: { 202: WebhookDelivery },
  },
} satisfies SchemaTable;
