import { assetRiskScore } from '@riskboard/domain';
import type { SampleAsset } from '../../sample/organization/sample-asset.ts';

/** The state of an asset from one day on. */
export interface ExampleScore {
  /** Days before today. */
  daysAgo: number;
  threats: number;
  vulnerabilities: number;
  /** 0-10. */
  score: number;
}

/** Length of the history in days. */
export const historyDays = 365;
/** The last days have no invented change: what is recorded from today on continues from the current state. */
const quietDays = 10;

/** FNV-1a: the same invented dates at every start. */
function hash(text: string): number {
  let value = 0x811c9dc5;
  for (const char of text) value = Math.imul(value ^ (char.codePointAt(0) ?? 0), 0x01000193) >>> 0;
  return value;
}

/** A day between the begin of the history and its quiet end. */
export const dayOf = (text: string): number => quietDays + (hash(text) % (historyDays - quietDays));

interface Count {
  daysAgo: number;
  kind: 'threats' | 'vulnerabilities';
  by: 1 | -1;
}

/** What is related today appears on an invented day; up to two vulnerabilities were found and fixed within the year. */
function changesOf({ name, threats = [], vulnerabilities = [] }: SampleAsset): Count[] {
  const appeared = (kind: Count['kind'], names: readonly string[]): Count[] =>
    names.map((one) => ({ daysAgo: dayOf(`${name} ${one}`), kind, by: 1 }));
  const fixed = Array.from({ length: hash(name) % 3 }, (_, n): Count[] => {
    const days = [dayOf(`${name} found ${n}`), dayOf(`${name} fixed ${n}`)].toSorted((a, b) => b - a);
    const [found = historyDays, end = quietDays] = days;
    return [
      { daysAgo: found, kind: 'vulnerabilities', by: 1 },
      { daysAgo: end, kind: 'vulnerabilities', by: -1 },
    ];
  });
  return [...appeared('threats', threats), ...appeared('vulnerabilities', vulnerabilities), ...fixed.flat()];
}

/** A point is recorded at each change and once a week. */
const weekDays = 7;

/**
 * An invented year of scores that ends at the current score of the asset, oldest first: once a week, and after each day
 * with a change.
 */
export function exampleHistory(asset: SampleAsset): ExampleScore[] {
  const [criticality, confidentiality, integrity, availability] = asset.levels;
  const counts = { threats: 0, vulnerabilities: 0 };
  const changes = changesOf(asset);
  const weeks = Array.from(
    { length: Math.floor(historyDays / weekDays) },
    (_, n) => historyDays - n * weekDays,
  );
  const days = new Set([...weeks, ...changes.map(({ daysAgo }) => daysAgo)]);
  return [...days]
    .toSorted((a, b) => b - a)
    .map((daysAgo) => {
      for (const { kind, by } of changes.filter((change) => change.daysAgo === daysAgo)) counts[kind] += by;
      const score = assetRiskScore({ criticality, confidentiality, integrity, availability, ...counts });
      return { daysAgo, ...counts, score };
    });
}
