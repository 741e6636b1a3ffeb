import type { ImportReport } from '@riskboard/contract';
import type { ReportObject } from './report-sink.ts';

type TypeRow = ImportReport['byType'][number];

/** Types beyond this number are counted together: a hostile file could have a new type in every object. */
const mostTypes = 1000;
const otherTypes = '(other)';
/** Different reasons of a type that are counted; a type of STIX has one or two. */
const mostReasons = 20;

/** The objects of one type. */
interface Outcomes {
  total: number;
  unmapped: number;
  failed: number;
  /** Why objects were not mapped, with their number. */
  reasons: Map<string, number>;
}

/** Counts the objects of a report by type and outcome, while they are read. */
export class OutcomesByType {
  readonly #types = new Map<string, Outcomes>();

  add({ type, outcome, reason }: Pick<ReportObject, 'type' | 'outcome' | 'reason'>): void {
    const counts = this.#of(type);
    counts.total += 1;
    if (outcome === 'mapped') return;
    counts[outcome] += 1;
    if (outcome !== 'unmapped' || reason === null) return;
    const known = counts.reasons.get(reason);
    if (known !== undefined || counts.reasons.size < mostReasons)
      counts.reasons.set(reason, (known ?? 0) + 1);
  }

  /** The number of objects of each type. */
  histogram(): Record<string, number> {
    return Object.fromEntries([...this.#types].map(([type, { total }]) => [type, total]));
  }

  /** The outcomes by type, the most frequent type first. @param superseded objects of a type that a newer version replaced */
  rows(superseded: ReadonlyMap<string, number>): TypeRow[] {
    const replaced = new Map<string, number>();
    for (const [type, count] of superseded) {
      const key = this.#types.has(type) ? type : otherTypes;
      replaced.set(key, (replaced.get(key) ?? 0) + count);
    }
    return [...this.#types]
      .map(([type, counts]) => typeRow(type, counts, replaced.get(type) ?? 0))
      .toSorted((a, b) => b.total - a.total);
  }

  #of(type: string): Outcomes {
    const key = this.#types.has(type) || this.#types.size < mostTypes ? type : otherTypes;
    const known = this.#types.get(key);
    if (known !== undefined) return known;
    const counts: Outcomes = { total: 0, unmapped: 0, failed: 0, reasons: new Map() };
    this.#types.set(key, counts);
    return counts;
  }
}

function typeRow(type: string, { total, unmapped, failed, reasons }: Outcomes, superseded: number): TypeRow {
  const [mostFrequent] = [...reasons].toSorted(([a, n], [b, m]) => m - n || (a < b ? -1 : 1));
  return {
    type,
    total,
    mapped: total - unmapped - failed - superseded,
    unmapped,
    failed,
    superseded,
    reason: mostFrequent?.[0] ?? null,
  };
}
