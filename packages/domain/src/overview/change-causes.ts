import { dayAfter, newDays } from './days.ts';
import type { ExposureChange } from './exposure-change.ts';
import type { ChangedNoun, RiskChange } from './risk-change.ts';

/** Whose rows a cause is about; `score` for what is not about rows. */
type Area = ChangedNoun | 'score';

/** A period after the end of the UTC day `from` until the end of the UTC day `to`. */
export interface Period {
  readonly from: string;
  readonly to: string;
}

interface CauseText {
  readonly label: string;
  /** The list with its rows. */
  readonly query?: (period: Period) => string;
}

const range = (field: string, { from, to }: Period): string =>
  `${field}Min=${dayAfter(from, 1)}&${field}Max=${to}`;
const closed = (status: string) => (period: Period) =>
  `/dashboard/vulnerabilities?status=${status}&${range('statusChangedAt', period)}`;
const deletions = (action: string) => (period: Period) =>
  `/dashboard/activity?action=${action}&${range('at', period)}`;
const created = (list: string) => (period: Period) => `/dashboard/${list}?${range('createdAt', period)}`;
const riskChanged = (period: Period) => `/dashboard/assets?${range('riskChangedAt', period)}`;

const aged = ({ from, to }: Period): string =>
  `/dashboard/vulnerabilities?status=open&createdAtMin=${dayAfter(from, -newDays)}&createdAtMax=${dayAfter(to, -newDays - 1)}`;

/** Causes of every area. */
const common: Readonly<Record<string, string>> = {
  restored: 'restored from the trash',
  recorded: 'existed before recording began',
  repaired: 'difference found by a recount',
  example: 'example history',
  unrecorded: 'without a recorded cause',
};

const texts: Readonly<Record<Area, Readonly<Record<string, CauseText>>>> = {
  vulnerabilities: {
    found: { label: 'Vulnerabilities found', query: created('vulnerabilities') },
    fixed: { label: 'Vulnerabilities fixed', query: closed('fixed') },
    mitigated: { label: 'Vulnerabilities mitigated', query: closed('mitigated') },
    accepted: { label: 'Vulnerabilities accepted', query: closed('accepted') },
    reopened: { label: 'Vulnerabilities reopened', query: closed('open') },
    deleted: { label: 'Vulnerabilities deleted', query: deletions('vulnerability.deleted') },
    severity: {
      label: 'Severity changed',
      query: (period) => `/dashboard/vulnerabilities?${range('severityChangedAt', period)}`,
    },
    aged: { label: `No longer new: found more than ${newDays} days ago`, query: aged },
  },
  threats: {
    found: { label: 'Threats found', query: created('threats') },
    deleted: { label: 'Threats deleted', query: deletions('threat.deleted') },
  },
  assets: {
    found: {
      label: 'Assets added that are at risk',
      query: (period) => `/dashboard/assets?status=at-risk&${range('createdAt', period)}`,
    },
    deleted: { label: 'Assets deleted that were at risk', query: deletions('asset.deleted') },
    related: { label: 'Assets at risk after records were related', query: riskChanged },
    unrelated: { label: 'Assets no longer at risk after relations were removed', query: riskChanged },
    levels: { label: 'Assets at risk after their levels changed', query: riskChanged },
  },
  score: {
    formula: { label: 'Formula of the score changed' },
    rounding: { label: 'Rounding to a whole number' },
    cap: { label: 'Limit of 100' },
  },
};

const names: Readonly<Record<Area, string>> = {
  vulnerabilities: 'Vulnerabilities',
  threats: 'Threats',
  assets: 'Assets at risk',
  score: 'Score',
};

function textOf(area: Area, cause: string): CauseText {
  const own = texts[area][cause];
  return own ?? { label: `${names[area]}: ${common[cause] ?? cause}` };
}

/** A cause as the api replies it. */
export interface PresentedCause {
  readonly code: string;
  readonly label: string;
  readonly delta: number;
  readonly count: number;
  readonly query: string | null;
}

const present = (area: Area, cause: string, { period, rows, delta }: CauseAmount): PresentedCause => {
  const { label, query } = textOf(area, cause);
  return {
    code: area === 'score' ? cause : `${area}.${cause}`,
    label,
    delta,
    count: Math.abs(rows),
    query: query?.(period) ?? null,
  };
};

interface CauseAmount {
  readonly period: Period;
  /** Signed. */
  readonly rows: number;
  readonly delta: number;
}

/** The largest effect first; what is not about rows comes last, in its own order. */
const byEffect = (one: PresentedCause, other: PresentedCause): number =>
  Math.abs(other.delta) - Math.abs(one.delta) || one.code.localeCompare(other.code, 'en');

/** Causes of a change of the overall risk score; the deltas still add up exactly. */
export const presentRiskCauses = ({ causes }: RiskChange, period: Period): PresentedCause[] =>
  causes.map(({ noun, cause, rows, delta }) => present(noun ?? 'score', cause, { period, rows, delta }));

/** Causes of a change of the exposure. */
export const presentExposureCauses = ({ causes }: ExposureChange, period: Period): PresentedCause[] =>
  causes
    .map(({ cause, rows, delta }) => present('vulnerabilities', cause, { period, rows, delta }))
    .toSorted(byEffect);
