import { addDays, newDays } from './days.ts';
import type { ChangeCause, ChangedNoun } from './risk-change.ts';
import { agedDays, type Period } from './risk-flows.ts';

/** Whose rows a cause is about; `score` for a part of the calculation. */
type Area = ChangedNoun | 'score';

interface CauseText {
  readonly label: string;
  /** The list with its rows. */
  readonly query?: (period: Period) => string;
}

/** From the first moment of a UTC day to the last one of another: a page would read a day in the zone of its user. */
const moments = (field: string, first: string, last: string): string =>
  `${field}Min=${first}T00:00:00.000Z&${field}Max=${last}T23:59:59.999Z`;
const range = (field: string, { from, to }: Period): string => moments(field, addDays(from, 1), to);

const list = (page: string, field: string) => (period: Period) => `/dashboard/${page}${range(field, period)}`;
const withStatus = (status: string) => list(`vulnerabilities?status=${status}&`, 'statusChangedAt');
const logged = (...actions: string[]) =>
  list(`activity?${actions.map((action) => `action=${action}&`).join('')}`, 'at');
/** Records are deleted with a report, or with its replacement by a version without them. */
const withReports = ['report.deleted', 'report.records-removed'] as const;
const riskChanged = list('assets?', 'riskChangedAt');

function aged(period: Period): string {
  const { first, last } = agedDays(period);
  return `/dashboard/vulnerabilities?status=open&${moments('createdAt', first, last)}`;
}

const texts: Readonly<Record<Area, Readonly<Record<string, CauseText>>>> = {
  vulnerabilities: {
    found: { label: 'Vulnerabilities found', query: list('vulnerabilities?', 'createdAt') },
    restored: { label: 'Vulnerabilities restored', query: logged('vulnerability.restored') },
    deleted: { label: 'Vulnerabilities deleted', query: logged('vulnerability.deleted', ...withReports) },
    fixed: { label: 'Vulnerabilities fixed', query: withStatus('fixed') },
    mitigated: { label: 'Vulnerabilities mitigated', query: withStatus('mitigated') },
    accepted: { label: 'Vulnerabilities accepted', query: withStatus('accepted') },
    reopened: { label: 'Vulnerabilities reopened', query: withStatus('open') },
    severity: { label: 'Severities changed', query: list('vulnerabilities?', 'severityChangedAt') },
    aged: { label: `Vulnerabilities no longer new after ${newDays} days`, query: aged },
    recorded: { label: 'Vulnerabilities that existed before recording began' },
    repaired: { label: 'Vulnerabilities corrected by a recount' },
    example: { label: 'Vulnerabilities of the example history' },
    unrecorded: { label: 'Vulnerabilities without a recorded cause' },
  },
  threats: {
    found: { label: 'Threats found', query: list('threats?', 'createdAt') },
    restored: { label: 'Threats restored', query: logged('threat.restored') },
    deleted: { label: 'Threats deleted', query: logged('threat.deleted', ...withReports) },
    recorded: { label: 'Threats that existed before recording began' },
    repaired: { label: 'Threats corrected by a recount' },
    example: { label: 'Threats of the example history' },
    unrecorded: { label: 'Threats without a recorded cause' },
  },
  assets: {
    found: { label: 'Assets added that are at risk', query: list('assets?status=at-risk&', 'createdAt') },
    restored: {
      label: 'Assets at risk restored',
      query: logged('asset.restored', 'project.restored'),
    },
    deleted: {
      label: 'Assets at risk deleted',
      query: logged('asset.deleted', 'project.deleted'),
    },
    related: {
      label: 'Assets came to be at risk by new relations',
      query: list('assets?status=at-risk&', 'riskChangedAt'),
    },
    unrelated: { label: 'Assets no longer at risk after relations ended', query: riskChanged },
    levels: { label: 'Assets at risk changed by their levels', query: riskChanged },
    recorded: { label: 'Assets at risk before recording began' },
    repaired: { label: 'Assets at risk corrected by a recount' },
    example: { label: 'Assets at risk of the example history' },
    unrecorded: { label: 'Assets at risk without a recorded cause' },
  },
  score: {
    formula: { label: 'New version of the formula' },
    rounding: { label: 'Rounding' },
    cap: { label: 'Limit of 100' },
  },
};

const nouns: Readonly<Record<Area, string>> = {
  vulnerabilities: 'Vulnerabilities',
  threats: 'Threats',
  assets: 'Assets at risk',
  score: 'Calculation',
};

/** A cause with its label and the list of its rows. */
export interface PresentedCause {
  /** Such as `vulnerabilities.found`, `rounding`. */
  readonly code: string;
  readonly label: string;
  readonly delta: number;
  /** Rows; 0 for a part of the calculation. */
  readonly count: number;
  readonly query: string | null;
}

/** Causes of the exposure count only vulnerabilities with a severity; a change of severity may also have removed it. */
const ratedQuery = (query: string, cause: string): string =>
  query.startsWith('/dashboard/vulnerabilities?') && cause !== 'severity' ? `${query}&severityMin=0` : query;

/**
 * Adds label, code and link to causes; their order and their deltas stay, so that they still add up exactly.
 * @param measure what the causes changed
 */
export const presentCauses = (
  causes: readonly ChangeCause[],
  period: Period,
  measure: 'risk' | 'exposure',
): PresentedCause[] =>
  causes.map(({ noun, cause, rows, delta }) => {
    const area = noun ?? 'score';
    const { label, query } = texts[area][cause] ?? { label: `${nouns[area]}: ${cause}` };
    const link = query?.(period) ?? null;
    return {
      code: noun === undefined ? cause : `${noun}.${cause}`,
      label,
      delta,
      count: Math.abs(rows),
      query: link !== null && measure === 'exposure' ? ratedQuery(link, cause) : link,
    };
  });
