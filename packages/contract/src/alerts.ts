import { endpoints } from './endpoint.ts';
import { defineList } from './list.ts';
import type { alertRuleSchemas, webhookDeliverySchemas, webhookSchemas } from './schemas/alerts.ts';

/** What a rule watches. */
export const alertRuleKinds = {
  'critical-vulnerability': { label: 'New critical vulnerability', needs: [] },
  'asset-at-risk': { label: 'Asset becomes at risk', needs: [] },
  'import-failed': { label: 'Import failed', needs: [] },
  'score-above': { label: 'Score above a value', needs: ['score', 'threshold'] },
  'nothing-imported': { label: 'Nothing imported for some days', needs: ['days'] },
} as const satisfies Record<string, { label: string; needs: readonly ('score' | 'threshold' | 'days')[] }>;

export type AlertRuleKind = keyof typeof alertRuleKinds;

/** What an alert of the inbox reports: a finding of a rule, or a webhook that was disabled (owners only). */
export const alertKinds = [...(Object.keys(alertRuleKinds) as AlertRuleKind[]), 'webhook-disabled'] as const;

export const alertSeverities = ['critical', 'high', 'medium', 'low'] as const;

/** Scores that a rule of the kind `score-above` watches, with their greatest value. */
export const watchedScores = {
  overall: { label: 'Overall risk score', greatest: 100 },
  asset: { label: 'Risk score of an asset', greatest: 10 },
  cwss: { label: 'CWSS score of a vulnerability', greatest: 100 },
} as const;

export type WatchedScore = keyof typeof watchedScores;

/** When the emails of a rule are sent; the inbox and webhooks get every alert immediately. */
export const alertDigests = {
  immediately: 'Immediately',
  hourly: 'Hourly digest',
  daily: 'Daily digest',
} as const;

export type AlertDigest = keyof typeof alertDigests;

/** Findings of one rule in one evaluation that become one alert each; more become one alert with their number. */
export const mostSingleAlerts = 10;

/** Days of a rule of the kind `nothing-imported`. */
export const nothingImportedDays = { least: 1, most: 365 } as const;

/** Rules and webhooks of an organization, and members that a rule mails, at most. */
export const mostAlertRules = 50;
export const mostWebhooks = 20;
export const mostMailRecipients = 50;

/** Hours in which a rotated secret still signs. */
export const secretOverlapHours = { least: 0, most: 168, standard: 24 } as const;

/** Types of the payloads that a webhook receives. */
export const webhookTypes = ['alert.created', 'webhook.test'] as const;

/** Why a webhook is disabled: by an owner, by the reply 410 Gone, or after days without a successful delivery. */
export const webhookDisabledReasons = ['owner', 'gone', 'failing'] as const;

/** `waiting`: for its first attempt or the next one. `cancelled`: its webhook was disabled meanwhile. */
export const deliveryStates = ['waiting', 'delivered', 'failed', 'cancelled'] as const;

const alertKindLabels: Readonly<Record<string, string>> = {
  ...Object.fromEntries(Object.entries(alertRuleKinds).map(([kind, { label }]) => [kind, label])),
  'webhook-disabled': 'Webhook disabled',
};

/** The inbox, newest first. Only time is sortable. */
export const alertList = defineList(
  {
    title: { label: 'Alert', kind: 'text', sortable: false },
    kind: { label: 'Kind', kind: 'choice', values: alertKinds, labels: alertKindLabels, sortable: false },
    severity: {
      label: 'Severity',
      kind: 'choice',
      values: alertSeverities,
      labels: { critical: 'Critical', high: 'High', medium: 'Medium', low: 'Low' },
      sortable: false,
    },
    /** Read by the caller. */
    read: {
      label: 'Read state',
      kind: 'choice',
      values: ['false', 'true'],
      labels: { false: 'Unread', true: 'Read' },
      sortable: false,
    },
    createdAt: { label: 'When', kind: 'time' },
  },
  '-createdAt',
);

export const alertRules = endpoints<typeof alertRuleSchemas>()({
  list: { method: 'GET', path: '/api/alerts/rules', access: 'viewer' },
  create: { method: 'POST', path: '/api/alerts/rules', access: 'analyst', versioned: true },
  update: { method: 'PUT', path: '/api/alerts/rules/:id', access: 'analyst', versioned: true },
  delete: { method: 'DELETE', path: '/api/alerts/rules/:id', access: 'analyst', versioned: true },
  restore: { method: 'POST', path: '/api/alerts/rules/:id/restore', access: 'analyst' },
  channels: { method: 'GET', path: '/api/alerts/channels', access: 'analyst', sessionOnly: true },
});

export const webhooks = endpoints<typeof webhookSchemas>()({
  list: { method: 'GET', path: '/api/alerts/webhooks', access: 'owner', sessionOnly: true },
  create: {
    method: 'POST',
    path: '/api/alerts/webhooks',
    access: 'owner',
    sessionOnly: true,
    perMinute: 60,
    versioned: true,
  },
  update: {
    method: 'PUT',
    path: '/api/alerts/webhooks/:id',
    access: 'owner',
    sessionOnly: true,
    versioned: true,
  },
  delete: {
    method: 'DELETE',
    path: '/api/alerts/webhooks/:id',
    access: 'owner',
    sessionOnly: true,
    versioned: true,
  },
  rotateSecret: {
    method: 'POST',
    path: '/api/alerts/webhooks/:id/rotate-secret',
    access: 'owner',
    sessionOnly: true,
    perMinute: 60,
    versioned: true,
  },
  test: {
    method: 'POST',
    path: '/api/alerts/webhooks/:id/test',
    access: 'owner',
    sessionOnly: true,
    perMinute: 60,
  },
});

export const webhookDeliveries = endpoints<typeof webhookDeliverySchemas>()({
  list: { method: 'GET', path: '/api/alerts/deliveries', access: 'owner', sessionOnly: true },
  get: { method: 'GET', path: '/api/alerts/deliveries/:id', access: 'owner', sessionOnly: true },
  retry: {
    method: 'POST',
    path: '/api/alerts/deliveries/:id/retry',
    access: 'owner',
    sessionOnly: true,
    perMinute: 60,
  },
});
