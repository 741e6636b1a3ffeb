import { type ImpactLayer, type ImpactTier, type TechnicalImpact, technicalImpactOf } from './impacts.ts';

/** A rated cell of a scorecard; cells without a rating are absent. */
export interface ScorecardCell {
  readonly impact: TechnicalImpact;
  readonly layer: ImpactLayer;
  /** 0-10. */
  readonly subscore: number;
  readonly notes: string;
}

/** A weakness and the impacts of its consequences, in CWE's words. */
export interface WeaknessImpacts {
  /** Number of the CWE. */
  readonly cwe: number;
  readonly impacts: readonly string[];
  /** The ancestor whose impacts these are, when the weakness itself has none that are mapped. */
  readonly inheritedFrom?: number;
}

/** The cell that decides the technical impact. */
export interface WinningImpact extends ScorecardCell {
  readonly cwe: number;
  readonly inheritedFrom: number | null;
  readonly tier: ImpactTier;
}

/** The cells of each weakness, best first; ties in the order of weaknesses and cells. */
function cellsOf(weakness: WeaknessImpacts, scorecard: readonly ScorecardCell[]): WinningImpact[] {
  const tiers = new Map<TechnicalImpact, ImpactTier>();
  for (const one of weakness.impacts) {
    const mapped = technicalImpactOf(one);
    if (mapped !== undefined && tiers.get(mapped.impact) !== 'core') tiers.set(mapped.impact, mapped.tier);
  }
  return scorecard.flatMap((cell) => {
    const tier = tiers.get(cell.impact);
    if (tier === undefined) return [];
    return [{ ...cell, cwe: weakness.cwe, inheritedFrom: weakness.inheritedFrom ?? null, tier }];
  });
}

/**
 * The highest rated cell over all impacts of all weaknesses, at any layer: CWE does not state the layer of an impact.
 * A rated 0 counts; cells without a rating do not. Undefined when no impact is mapped and rated: then the Technical
 * Impact factor has its default value, never 0.
 */
export function winningImpact(
  weaknesses: readonly WeaknessImpacts[],
  scorecard: readonly ScorecardCell[],
): WinningImpact | undefined {
  let best: WinningImpact | undefined;
  for (const weakness of weaknesses)
    for (const cell of cellsOf(weakness, scorecard))
      if (best === undefined || cell.subscore > best.subscore) best = cell;
  return best;
}
