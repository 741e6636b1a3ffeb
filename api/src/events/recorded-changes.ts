import {
  type ActivityAction,
  activityActions,
  type activityNouns,
  type ChangedEvent,
} from '@riskboard/contract';
import { type Database, withOrganization } from '@riskboard/db';
import { sql } from 'kysely';

type EventType = ChangedEvent['type'];

/** A committed change by a person, as its entry in the activity log states it. */
export interface RecordedChange {
  /** Of the entry. */
  id: string;
  type: EventType;
  by: string | null;
  /** The changed row; null: several, or the event of this noun names others. */
  rowId: string | null;
}

/** The event that follows a change by a person. Jobs publish their own state (decision 83). */
const eventOfNoun: Record<(typeof activityNouns)[number], EventType | null> = {
  accounts: null,
  organization: 'organization.changed',
  reports: 'file.changed',
  jobs: null,
  vulnerabilities: 'vulnerability.changed',
  threats: 'threat.changed',
  assets: 'asset.changed',
  projects: 'project.changed',
  vignettes: 'vignette.changed',
  catalogue: 'catalogue.changed',
  alerts: 'alert.changed',
  webhooks: 'alert.changed',
};

/** Actions whose event is not that of their noun; null: an action without an event, which changes no list or only creates a job. */
const exceptions: Partial<Record<ActivityAction, EventType | null>> = {
  'account.updated': 'organization.changed',
  'account.email-changed': 'organization.changed',
  'activity.exported': null,
  'organization.deletion-started': null,
  'report.downloaded': null,
  'report.extraction-requested': null,
  'batch.created': 'batch.changed',
  'batch.paused': 'batch.changed',
  'batch.resumed': 'batch.changed',
  'batch.cancelled': 'batch.changed',
  'batch.retried': 'batch.changed',
  'vulnerability.import-uploaded': null,
  'vulnerability.import-deleted': null,
  'asset.import-uploaded': null,
  'asset.import-deleted': null,
};

/** Events that do not name the rows of the entries. */
const namesOthers: ReadonlySet<EventType> = new Set<EventType>([
  'organization.changed',
  'alert.changed',
  'catalogue.changed',
]);

/** Entries that are read at once. Where more changes than these are made, later events show the earlier changes. */
const mostRead = 500;

/** An action of a newer version has no event here. */
function eventOf(action: string): EventType | null {
  const known = action as ActivityAction;
  const exception = exceptions[known];
  if (exception !== undefined) return exception;
  return Object.hasOwn(activityActions, action) ? eventOfNoun[activityActions[known].noun] : null;
}

/**
 * The changes that people made in the last seconds, for which an event is published after the commit. The time is that of
 * PostgreSQL, which also sets that of the entries.
 */
export async function recordedChanges(
  database: Database,
  { organizationId, seconds }: { organizationId: string; seconds: number },
): Promise<RecordedChange[]> {
  const entries = await withOrganization(database, organizationId, (trx) =>
    trx
      .selectFrom('activity')
      .select(['id', 'action', 'account_id as by', 'noun_id as rowId'])
      .where('at', '>', sql<Date>`now() - make_interval(secs => ${seconds})`)
      .where('via', '<>', 'system')
      .orderBy('at', 'desc')
      .orderBy('id', 'desc')
      .limit(mostRead)
      .execute(),
  );
  return entries.flatMap(({ id, action, by, rowId }) => {
    const type = eventOf(action);
    return type === null ? [] : [{ id, type, by, rowId: namesOthers.has(type) ? null : rowId }];
  });
}
