import type { activityNouns } from './activity.ts';

interface ActivityDefinition {
  noun: (typeof activityNouns)[number];
  /** Verb of the sentence '{actor} {label} {name}', as in 'Ada created the asset Web server'. */
  label: string;
  /** Fields that the entry's `detail` may have; never contents or secrets. */
  detail: readonly string[];
}

/** Every action of the log. The API and the worker record no other action. */
export const activityActions = {
  'account.signed-up': { noun: 'accounts', label: 'signed up', detail: [] },
  'account.signed-in': { noun: 'accounts', label: 'logged in', detail: [] },
  'account.sign-in-failed': { noun: 'accounts', label: 'failed to log in as', detail: [] },
  'account.signed-out': { noun: 'accounts', label: 'logged out', detail: [] },
  'account.password-changed': {
    noun: 'accounts',
    label: 'changed their password',
    detail: ['sessionsEnded', 'tokensRevoked'],
  },
  'account.password-reset': {
    noun: 'accounts',
    label: 'reset their password',
    detail: ['sessionsEnded', 'tokensRevoked'],
  },
  'account.email-asked': { noun: 'accounts', label: 'requested a change of their email address', detail: [] },
  'account.email-changed': {
    noun: 'accounts',
    label: 'changed their email address',
    detail: ['changes', 'sessionsEnded'],
  },
  'account.email-verified': { noun: 'accounts', label: 'confirmed their email address', detail: [] },
  'account.address-claimed': {
    noun: 'accounts',
    label: 'lost their unconfirmed email address to its owner',
    detail: ['changes'],
  },
  'account.second-factor-enabled': { noun: 'accounts', label: 'set up a second factor', detail: [] },
  'account.second-factor-disabled': { noun: 'accounts', label: 'turned off their second factor', detail: [] },
  'account.code-limit-reached': {
    noun: 'accounts',
    label: 'entered too many wrong second-factor codes as',
    detail: [],
  },
  'account.recovery-codes-renewed': { noun: 'accounts', label: 'renewed their recovery codes', detail: [] },
  'account.recovery-code-used': { noun: 'accounts', label: 'used a recovery code', detail: ['left'] },
  'account.sessions-ended': {
    noun: 'accounts',
    label: 'ended sessions of their own',
    detail: ['ended', 'tokensRevoked'],
  },
  'account.updated': { noun: 'accounts', label: 'changed their profile', detail: ['changes'] },
  'token.created': { noun: 'accounts', label: 'created the API token', detail: ['role', 'expiresAt'] },
  'token.revoked': { noun: 'accounts', label: 'revoked the API token', detail: [] },
  'organization.updated': { noun: 'organization', label: 'changed the organization', detail: ['changes'] },
  'organization.deletion-started': {
    noun: 'organization',
    label: 'started to delete the organization',
    detail: [],
  },
  'organization.handed-over': {
    noun: 'organization',
    label: 'transferred ownership to',
    detail: [],
  },
  'member.invited': { noun: 'organization', label: 'invited', detail: ['role'] },
  'invitation.withdrawn': { noun: 'organization', label: 'withdrew the invitation of', detail: ['role'] },
  'member.joined': { noun: 'organization', label: 'joined the organization', detail: ['role'] },
  'member.role-changed': { noun: 'organization', label: 'changed the role of', detail: ['changes'] },
  'member.removed': { noun: 'organization', label: 'removed', detail: ['role'] },
  'member.left': { noun: 'organization', label: 'left the organization', detail: ['role'] },
  'member.second-factor-reset': {
    noun: 'organization',
    label: 'reset the second factor of',
    detail: [],
  },
  'member.sessions-ended': {
    noun: 'organization',
    label: 'ended the sessions and API tokens of',
    detail: ['ended', 'tokensRevoked'],
  },
  'activity.exported': {
    noun: 'organization',
    label: 'exported the activity log',
    detail: ['filter', 'format'],
  },
  'report.uploaded': { noun: 'reports', label: 'uploaded', detail: ['size', 'sha256', 'extract'] },
  'report.replaced': { noun: 'reports', label: 'uploaded again', detail: ['size', 'sha256', 'extract'] },
  'report.deleted': { noun: 'reports', label: 'deleted', detail: ['vulnerability', 'threat'] },
  'report.records-removed': {
    noun: 'reports',
    label: 'removed records that are no longer in',
    detail: ['vulnerability', 'threat'],
  },
  'report.downloaded': { noun: 'reports', label: 'downloaded', detail: ['form'] },
  'report.extraction-requested': {
    noun: 'reports',
    label: 'requested an extraction from',
    detail: ['kinds'],
  },
  'report.extracted': {
    noun: 'reports',
    label: 'extracted data from',
    detail: ['kinds', 'created', 'updated', 'unchanged', 'skipped'],
  },
  'batch.created': { noun: 'reports', label: 'started the batch', detail: ['files', 'size'] },
  'batch.paused': { noun: 'reports', label: 'paused the batch', detail: [] },
  'batch.resumed': { noun: 'reports', label: 'resumed the batch', detail: [] },
  'batch.cancelled': { noun: 'reports', label: 'cancelled the batch', detail: ['count'] },
  'batch.retried': { noun: 'reports', label: 'retried failed files of the batch', detail: ['count'] },
  'job.cancelled': { noun: 'jobs', label: 'cancelled the job of', detail: ['kind'] },
  'job.retried': { noun: 'jobs', label: 'restarted the job of', detail: ['kind'] },
  'vulnerability.created': { noun: 'vulnerabilities', label: 'created the vulnerability', detail: [] },
  'vulnerability.updated': {
    noun: 'vulnerabilities',
    label: 'updated the vulnerability',
    detail: ['changes'],
  },
  'vulnerability.deleted': { noun: 'vulnerabilities', label: 'deleted the vulnerability', detail: ['count'] },
  'vulnerability.restored': {
    noun: 'vulnerabilities',
    label: 'restored the vulnerability',
    detail: ['count'],
  },
  'vulnerability.reverted': {
    noun: 'vulnerabilities',
    label: 'reverted the vulnerability',
    detail: ['fields', 'changes'],
  },
  'vulnerability.import-uploaded': {
    noun: 'vulnerabilities',
    label: 'uploaded the CSV file of vulnerabilities',
    detail: ['size'],
  },
  'vulnerability.imported': {
    noun: 'vulnerabilities',
    label: 'imported vulnerabilities from',
    detail: ['created', 'updated', 'unchanged', 'failed'],
  },
  'vulnerability.import-undone': {
    noun: 'vulnerabilities',
    label: 'undid the import of vulnerabilities from',
    detail: ['deleted', 'restored', 'kept'],
  },
  'vulnerability.import-deleted': {
    noun: 'vulnerabilities',
    label: 'deleted the CSV file of vulnerabilities',
    detail: [],
  },
  'vulnerability.updated-many': { noun: 'vulnerabilities', label: 'changed', detail: ['count', 'changes'] },
  'vulnerability.scored': {
    noun: 'vulnerabilities',
    label: 'calculated the CWSS score of',
    detail: ['score', 'vignette', 'version'],
  },
  'vulnerability.scored-many': {
    noun: 'vulnerabilities',
    label: 'calculated CWSS scores of',
    detail: ['count', 'vignette', 'version'],
  },
  'vulnerability.factors-changed': {
    noun: 'vulnerabilities',
    label: 'set CWSS factors of',
    detail: ['changes'],
  },
  'vignette.created': { noun: 'vignettes', label: 'created the vignette', detail: ['scorecard', 'version'] },
  'vignette.replaced': {
    noun: 'vignettes',
    label: 'replaced the vignette',
    detail: ['scorecard', 'version'],
  },
  'vignette.updated': { noun: 'vignettes', label: 'changed the vignette', detail: ['version', 'changes'] },
  'vignette.deleted': { noun: 'vignettes', label: 'deleted the vignette', detail: ['version'] },
  'catalogue.refreshed': {
    noun: 'catalogue',
    label: 'refreshed the weakness catalogue to',
    detail: ['version', 'previousVersion'],
  },
  'catalogue.uploaded': {
    noun: 'catalogue',
    label: 'uploaded the weakness catalogue',
    detail: ['version', 'previousVersion', 'fileName'],
  },
  'catalogue.chosen': {
    noun: 'catalogue',
    label: 'chose the weakness catalogue',
    detail: ['version', 'previousVersion'],
  },
  'alert-rule.created': { noun: 'alerts', label: 'created the alert rule', detail: ['kind'] },
  'alert-rule.updated': { noun: 'alerts', label: 'changed the alert rule', detail: ['changes'] },
  'alert-rule.deleted': { noun: 'alerts', label: 'deleted the alert rule', detail: ['kind'] },
  'alert-rule.restored': { noun: 'alerts', label: 'restored the alert rule', detail: ['kind'] },
  'webhook.created': { noun: 'webhooks', label: 'created the webhook', detail: [] },
  'webhook.updated': { noun: 'webhooks', label: 'changed the webhook', detail: ['changes'] },
  'webhook.deleted': { noun: 'webhooks', label: 'deleted the webhook', detail: [] },
  'webhook.secret-rotated': {
    noun: 'webhooks',
    label: 'rotated the secret of the webhook',
    detail: ['overlapHours'],
  },
  'webhook.disabled': { noun: 'webhooks', label: 'disabled the webhook', detail: ['reason'] },
  'threat.created': { noun: 'threats', label: 'created the threat', detail: [] },
  'threat.updated': { noun: 'threats', label: 'updated the threat', detail: ['changes'] },
  'threat.deleted': { noun: 'threats', label: 'deleted the threat', detail: ['count'] },
  'threat.restored': { noun: 'threats', label: 'restored the threat', detail: ['count'] },
  'threat.reverted': { noun: 'threats', label: 'reverted the threat', detail: ['fields', 'changes'] },
  'threat.updated-many': { noun: 'threats', label: 'changed', detail: ['count', 'changes'] },
  'asset.created': { noun: 'assets', label: 'created the asset', detail: ['project'] },
  'asset.updated': { noun: 'assets', label: 'updated the asset', detail: ['changes'] },
  'asset.deleted': { noun: 'assets', label: 'deleted the asset', detail: ['count'] },
  'asset.restored': { noun: 'assets', label: 'restored the asset', detail: ['count'] },
  'asset.updated-many': { noun: 'assets', label: 'changed', detail: ['count', 'changes'] },
  'asset.import-uploaded': { noun: 'assets', label: 'uploaded the CSV file of assets', detail: ['size'] },
  'asset.imported': {
    noun: 'assets',
    label: 'imported assets from',
    detail: ['created', 'updated', 'unchanged', 'failed'],
  },
  'asset.import-undone': {
    noun: 'assets',
    label: 'undid the import of assets from',
    detail: ['deleted', 'restored', 'kept'],
  },
  'asset.import-deleted': { noun: 'assets', label: 'deleted the CSV file of assets', detail: [] },
  'project.created': { noun: 'projects', label: 'created the project', detail: [] },
  'project.updated': { noun: 'projects', label: 'updated the project', detail: ['changes'] },
  'project.deleted': { noun: 'projects', label: 'deleted the project', detail: ['count', 'assets'] },
  'project.restored': { noun: 'projects', label: 'restored the project', detail: ['count', 'assets'] },
} as const satisfies Record<string, ActivityDefinition>;

export type ActivityAction = keyof typeof activityActions;
type DetailField<A extends ActivityAction> = (typeof activityActions)[A]['detail'][number];

/** Detail of an entry: the fields that its action declares. Fields of other actions do not compile. */
export type ActivityDetail<A extends ActivityAction = ActivityAction> = {
  readonly [F in DetailField<ActivityAction>]?: F extends DetailField<A> ? unknown : never;
};
