import type { ActivityEntry } from '@riskboard/contract';
import { formatSize, plural } from '../../lib/format/format.ts';
import { kindWords } from '../../lib/jobs/job-labels.ts';

export interface Change {
  from: unknown;
  to: unknown;
}

const isChange = (value: unknown): value is Change =>
  typeof value === 'object' && value !== null && 'from' in value && 'to' in value;

/** Fields of an edit with their value before and after, whatever else a log of another version holds. */
export function changesIn({ changes }: ActivityEntry['detail']): Record<string, Change> {
  if (typeof changes !== 'object' || changes === null) return {};
  return Object.fromEntries(
    Object.entries(changes).filter((entry): entry is [string, Change] => isChange(entry[1])),
  );
}

type Detail = ActivityEntry['detail'];

/** How a deed is told: '{verb} {thing} {tail}'. */
interface Words {
  verb: string | ((entry: ActivityEntry) => string);
  /** The verb says all: the thing is the person or the organization itself. */
  alone?: true;
  tail?: (detail: Detail) => string;
  /** Fields whose change the sentence tells itself. */
  tells?: readonly string[];
}

const textOf = (value: unknown): string => (typeof value === 'string' ? value : '');
const numberOf = (value: unknown): number => (typeof value === 'number' ? value : 0);
const listed = (words: readonly string[]) => words.filter((word) => word !== '').join(' and ');

const asRole = (detail: Detail): string =>
  textOf(detail['role']) === '' ? '' : `as ${textOf(detail['role'])}`;

function fromRole(detail: Detail): string {
  const { from, to } = changesIn(detail)['role'] ?? {};
  return typeof from === 'string' && typeof to === 'string' ? `from ${from} to ${to}` : '';
}

const kindsOf = ({ kinds }: Detail): string =>
  Array.isArray(kinds) && kinds.length > 0 ? listed(kinds.map(textOf)) : 'data';

/** What went with a report: 'with 3 vulnerabilities and 1 threat'. */
function withRecords(detail: Detail): string {
  const gone = [
    { count: numberOf(detail['vulnerability']), one: 'vulnerability', many: 'vulnerabilities' },
    { count: numberOf(detail['threat']), one: 'threat', many: 'threats' },
  ].filter(({ count }) => count > 0);
  return gone.length === 0
    ? ''
    : `with ${listed(gone.map(({ count, one, many }) => plural(count, one, many)))}`;
}

/** What an extraction came to: '5 created, 2 updated'. */
function counted(detail: Detail): string {
  const counts = ['created', 'updated', 'unchanged', 'skipped']
    .filter((word) => numberOf(detail[word]) > 0)
    .map((word) => `${numberOf(detail[word])} ${word}`);
  return counts.length === 0 ? '' : `(${counts.join(', ')})`;
}

function jobOf({ detail, name }: ActivityEntry): string {
  const kind = textOf(detail['kind']);
  const words = Object.entries(kindWords).find(([known]) => known === kind)?.[1] ?? kind;
  return `the job “${words}”${name === '' ? '' : ' of'}`;
}

const downloads: Readonly<Record<string, string>> = {
  'import report': 'downloaded the import report of',
  json: 'downloaded the JSON of',
};

/** Every deed that the log knows by name. */
const deeds: Readonly<Record<string, Words>> = {
  'account.signed-up': { verb: 'signed up', alone: true },
  'account.signed-in': { verb: 'signed in', alone: true },
  'account.sign-in-failed': { verb: 'failed to sign in as' },
  'account.signed-out': { verb: 'signed out', alone: true },
  'account.password-changed': { verb: 'changed their password', alone: true },
  'account.password-reset': { verb: 'reset their password', alone: true },
  'account.email-asked': { verb: 'asked to change their email address', alone: true },
  'account.email-changed': { verb: 'changed their email address', alone: true },
  'account.second-factor-enabled': { verb: 'set up a second factor', alone: true },
  'account.second-factor-disabled': { verb: 'turned off their second factor', alone: true },
  'account.recovery-codes-renewed': { verb: 'renewed their recovery codes', alone: true },
  'account.recovery-code-used': { verb: 'used a recovery code', alone: true },
  'account.sessions-ended': {
    verb: ({ detail }) => `ended ${plural(numberOf(detail['ended']), 'session')} of their own`,
    alone: true,
  },
  'account.updated': { verb: 'changed their profile', alone: true },
  'token.created': { verb: 'created the API token', tail: asRole },
  'token.revoked': { verb: 'revoked the API token' },
  'organization.updated': { verb: 'changed the organization', alone: true },
  'organization.deletion-started': { verb: 'started to delete the organization' },
  'organization.handed-over': { verb: 'handed the organization over to' },
  'member.invited': { verb: 'invited', tail: asRole },
  'invitation.withdrawn': { verb: 'withdrew the invitation of' },
  'member.joined': { verb: 'joined the organization', alone: true, tail: asRole },
  'member.role-changed': { verb: 'changed the role of', tail: fromRole, tells: ['role'] },
  'member.removed': { verb: 'removed', tail: () => 'from the organization' },
  'member.left': { verb: 'left the organization', alone: true },
  'member.second-factor-reset': { verb: 'reset the second factor of' },
  'activity.exported': { verb: 'exported the activity log', alone: true },
  'report.uploaded': {
    verb: 'uploaded',
    tail: ({ size }) => (typeof size === 'number' ? `(${formatSize(size)})` : ''),
  },
  'report.replaced': {
    verb: 'uploaded again',
    tail: ({ size }) => (typeof size === 'number' ? `(${formatSize(size)})` : ''),
  },
  'report.deleted': { verb: 'deleted', tail: withRecords },
  'report.downloaded': { verb: ({ detail }) => downloads[textOf(detail['form'])] ?? 'downloaded' },
  'report.extraction-requested': { verb: ({ detail }) => `asked to extract ${kindsOf(detail)} from` },
  'report.extracted': { verb: ({ detail }) => `extracted ${kindsOf(detail)} from`, tail: counted },
  'vulnerability.updated-many': { verb: 'changed' },
  'threat.updated-many': { verb: 'changed' },
  'job.cancelled': { verb: (entry) => `cancelled ${jobOf(entry)}` },
  'job.retried': { verb: (entry) => `ran ${jobOf(entry)}`, tail: () => 'again' },
};

/** Words of an action; absent: one that another version of Riskboard, or a later page, has made. */
export const wordsOf = (action: string): Words | undefined =>
  Object.hasOwn(deeds, action) ? deeds[action] : undefined;
