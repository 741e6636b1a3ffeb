import { type ActivityAction, activityActions, type ActivityEntry, jobKinds } from '@riskboard/contract';
import { plural, formatCount } from '@riskboard/domain';
import { formatScore, formatSize } from '../../lib/format/format.ts';

export interface Change {
  from: unknown;
  to: unknown;
}

const isChange = (value: unknown): value is Change =>
  typeof value === 'object' && value !== null && 'from' in value && 'to' in value;

/** Changed fields of an edit with their values before and after; malformed entries of other versions are skipped. */
export function changesIn({ changes }: ActivityEntry['detail']): Record<string, Change> {
  if (typeof changes !== 'object' || changes === null) return {};
  return Object.fromEntries(
    Object.entries(changes).filter((entry): entry is [string, Change] => isChange(entry[1])),
  );
}

type Detail = ActivityEntry['detail'];

/** What the sentence '{verb} {name} {tail}' about an action has beyond the action's label. */
interface Phrase {
  /** Replaces the label. */
  verb?: (entry: ActivityEntry) => string;
  /** The verb is complete: no name follows. */
  alone?: true;
  tail?: (detail: Detail) => string;
  /** Fields whose change the sentence itself describes. */
  describes?: readonly string[];
}

const textOf = (value: unknown): string => (typeof value === 'string' ? value : '');
const numberOf = (value: unknown): number => (typeof value === 'number' ? value : 0);
const listed = (items: readonly string[]) => items.filter((item) => item !== '').join(' and ');

const asRole = (detail: Detail): string =>
  textOf(detail['role']) === '' ? '' : `as ${textOf(detail['role'])}`;

function fromRole(detail: Detail): string {
  const { from, to } = changesIn(detail)['role'] ?? {};
  return typeof from === 'string' && typeof to === 'string' ? `from ${from} to ${to}` : '';
}

const kindsOf = ({ kinds }: Detail): string =>
  Array.isArray(kinds) && kinds.length > 0 ? listed(kinds.map(textOf)) : 'data';

/** Records that were deleted with a report or its former version: '3 vulnerabilities and 1 threat'. */
function recordsOf(detail: Detail): string {
  const deleted = [
    { count: numberOf(detail['vulnerability']), one: 'vulnerability', many: 'vulnerabilities' },
    { count: numberOf(detail['threat']), one: 'threat', many: 'threats' },
  ].filter(({ count }) => count > 0);
  return listed(deleted.map(({ count, one, many }) => plural(count, one, many)));
}

function withRecords(detail: Detail): string {
  const records = recordsOf(detail);
  return records === '' ? '' : `with ${records}`;
}

/** Assets that were deleted or restored with their projects. */
function withAssets(detail: Detail): string {
  const count = numberOf(detail['assets']);
  return count === 0 ? '' : `with ${plural(count, 'asset')}`;
}

/** Counts of an extraction: '(5 created, 2 updated)'. */
function counted(detail: Detail): string {
  const counts = ['created', 'updated', 'unchanged', 'skipped']
    .filter((count) => numberOf(detail[count]) > 0)
    .map((count) => `${formatCount(numberOf(detail[count]))} ${count}`);
  return counts.length === 0 ? '' : `(${counts.join(', ')})`;
}

function jobOf({ detail, name }: ActivityEntry): string {
  const kind = textOf(detail['kind']);
  const label = Object.entries(jobKinds).find(([known]) => known === kind)?.[1].label ?? kind;
  return `the job “${label}”${name === '' ? '' : ' of'}`;
}

const downloads: Readonly<Record<string, string>> = {
  'import report': 'downloaded the import report of',
  json: 'downloaded the JSON of',
};

const sizeOf = ({ size }: Detail): string => (typeof size === 'number' ? `(${formatSize(size)})` : '');

/** 'with Web shop, version 2'; scores with several vignettes have no version. */
function withVignette({ vignette, version }: Detail): string {
  if (textOf(vignette) === '') return '';
  return `with ${textOf(vignette)}${typeof version === 'number' ? `, version ${version}` : ''}`;
}

function scoreOf(detail: Detail): string {
  const { score } = detail;
  return typeof score === 'number' ? `(${formatScore(score)} of 100 ${withVignette(detail)})` : '';
}

const versionOf = ({ version }: Detail): string =>
  typeof version === 'number' ? `(version ${version})` : '';

const alone = { alone: true } as const;

/** An entry about several records has their number as its name: 'deleted 2 threats', not 'deleted the threat 2 threats'. */
const ofMany = (verb: string): Phrase => ({
  verb: ({ action, nounId, detail }) =>
    nounId === null && typeof detail['count'] === 'number' ? verb : (phraseOf(action)?.label ?? verb),
});
const deletion = ofMany('deleted');
const restoration = ofMany('restored');

const phrases: { readonly [A in ActivityAction]?: Phrase } = {
  'account.signed-up': alone,
  'account.signed-in': alone,
  'account.signed-out': alone,
  'account.password-changed': alone,
  'account.password-reset': alone,
  'account.email-asked': alone,
  'account.email-changed': alone,
  'account.second-factor-enabled': alone,
  'account.second-factor-disabled': alone,
  'account.recovery-codes-renewed': alone,
  'account.recovery-code-used': alone,
  'account.sessions-ended': {
    verb: ({ detail }) => `ended ${plural(numberOf(detail['ended']), 'session')} of their own`,
    alone: true,
  },
  'account.updated': alone,
  'token.created': { tail: asRole },
  'organization.updated': alone,
  'member.invited': { tail: asRole },
  'member.joined': { alone: true, tail: asRole },
  'member.role-changed': { tail: fromRole, describes: ['role'] },
  'member.removed': { tail: () => 'from the organization' },
  'member.left': alone,
  'activity.exported': alone,
  'report.uploaded': { tail: sizeOf },
  'report.replaced': { tail: sizeOf },
  'report.deleted': { tail: withRecords },
  'report.records-removed': { verb: ({ detail }) => `removed ${recordsOf(detail)} no longer in` },
  'report.downloaded': {
    verb: ({ detail }) => downloads[textOf(detail['form'])] ?? activityActions['report.downloaded'].label,
  },
  'report.extraction-requested': {
    verb: ({ detail }) => `requested the extraction of ${kindsOf(detail)} from`,
  },
  'report.extracted': { verb: ({ detail }) => `extracted ${kindsOf(detail)} from`, tail: counted },
  'job.cancelled': { verb: (entry) => `cancelled ${jobOf(entry)}` },
  'vulnerability.deleted': deletion,
  'vulnerability.restored': restoration,
  'vulnerability.import-uploaded': { tail: sizeOf },
  'vulnerability.scored': { tail: scoreOf },
  'vulnerability.scored-many': { tail: withVignette },
  'vignette.replaced': { tail: versionOf },
  'vignette.updated': { tail: versionOf },
  'threat.deleted': deletion,
  'threat.restored': restoration,
  'asset.deleted': deletion,
  'asset.restored': restoration,
  'asset.import-uploaded': { tail: sizeOf },
  'project.deleted': { ...deletion, tail: withAssets },
  'project.restored': { ...restoration, tail: withAssets },
  'job.retried': { verb: (entry) => `ran ${jobOf(entry)}`, tail: () => 'again' },
};

const isDeclared = (action: string): action is ActivityAction => Object.hasOwn(activityActions, action);

/** Label and phrase of an action; undefined for an action of another version of Riskboard. */
export const phraseOf = (action: string): (Phrase & { label: string }) | undefined =>
  isDeclared(action) ? { label: activityActions[action].label, ...phrases[action] } : undefined;
