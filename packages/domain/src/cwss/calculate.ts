import { winningImpact, type ScorecardCell, type WinningImpact } from '../cwraf/technical-impact.ts';
import { parseCvssVector } from '../cvss/vector.ts';
import { cwssOrder, type CwssFactor } from './factors.ts';
import { scoreCwss, type CwssScore } from './score.ts';
import {
  noWeakness,
  suggestFactors,
  type FindingFacts,
  type SuggestedFactor,
  type SuggestedFactors,
} from './suggested-factors.ts';
import { cwssVectorOf, type CwssChoice } from './vector.ts';

/** The standard, and the version of our mapping from CVSS, CWE and assets to its factors. It changes with either. */
export const cwssFormulaVersion = 'CWSS 1.0.1, mapping 1';

/** A weakness of a vulnerability, as the catalogue describes it. */
export interface WeaknessFacts {
  /** As in CWE-79; another text where the vulnerability names something else. */
  readonly cwe: string;
  readonly name: string;
  /** Of an exploit: High, Medium, Low or empty. */
  readonly likelihood: string;
  /** Impacts of its consequences, in CWE's words. */
  readonly impacts: readonly string[];
  /** The ancestor whose impacts these are, when the weakness itself has none that are mapped. */
  readonly inheritedFrom: number | null;
  /** Why it has no impacts, or what to know about it; empty, or sentences. */
  readonly note: string;
}

/** A factor that an analyst set; it replaces the suggested value. */
export interface CwssFactorOverride extends CwssChoice {
  readonly reason: string;
}

interface CommonInputs {
  readonly cveId: string;
  /** Empty without one. */
  readonly cvssVector: string;
  /** The most critical related asset; null when none has a criticality. */
  readonly asset: { readonly id: string; readonly name: string; readonly criticality: number } | null;
  readonly overrides: Readonly<Partial<Record<CwssFactor, CwssFactorOverride>>>;
}

/** What is known about a vulnerability, before a vignette rates it. */
export interface CwssFacts extends CommonInputs {
  readonly weaknesses: readonly WeaknessFacts[];
}

/** A weakness with its highest rated impact; null when the vignette rates none of its impacts. */
export interface RatedWeakness extends Omit<WeaknessFacts, 'impacts'> {
  readonly cell: Pick<WinningImpact, 'impact' | 'layer' | 'subscore' | 'notes' | 'tier'> | null;
}

/** Everything that a score is calculated from; stored with the score. */
export interface CwssInputs extends CommonInputs {
  readonly weaknesses: readonly RatedWeakness[];
}

export interface CwssCalculation extends CwssScore {
  /** In canonical form. */
  readonly vector: string;
  readonly factors: SuggestedFactors;
  /** The values that factors would have without the analyst. */
  readonly suggested: SuggestedFactors;
  /** The weakness with the highest rated impact, which is the suggested Technical Impact; null when none is rated. */
  readonly decisive: RatedWeakness | null;
  /** Why Technical Impact has its default value; null when it was rated or an analyst set it. */
  readonly fallback: string | null;
}

/** The number of a CWE id; 0 for another text. */
const cweNumber = (id: string): number => Number(/^CWE-(\d+)$/iu.exec(id)?.[1] ?? 0);

const notRated = 'The vignette rates none of its impacts.';

function rateWeakness(
  { impacts, ...weakness }: WeaknessFacts,
  scorecard: readonly ScorecardCell[],
): RatedWeakness {
  const best = winningImpact([{ cwe: cweNumber(weakness.cwe), impacts }], scorecard);
  if (best === undefined) return { ...weakness, note: weakness.note || notRated, cell: null };
  const { impact, layer, subscore, notes, tier } = best;
  return { ...weakness, cell: { impact, layer, subscore, notes, tier } };
}

/** Rates what is known about a vulnerability by the scorecard of a vignette. */
export const rateFacts = (facts: CwssFacts, scorecard: readonly ScorecardCell[]): CwssInputs => ({
  ...facts,
  weaknesses: facts.weaknesses.map((weakness) => rateWeakness(weakness, scorecard)),
});

/** The weakness with the highest rating, the first one of equals (CWRAF takes the maximum). */
export function decisiveOf(weaknesses: readonly RatedWeakness[]): RatedWeakness | null {
  let best: RatedWeakness | null = null;
  for (const weakness of weaknesses)
    if (weakness.cell && (best?.cell == null || weakness.cell.subscore > best.cell.subscore)) best = weakness;
  return best;
}

const likelihoods = ['High', 'Medium', 'Low'] as const;

/** The highest likelihood that any of the weaknesses has; empty when none is stated, undefined without a weakness. */
function likelihoodOf(weaknesses: readonly RatedWeakness[]): string | undefined {
  if (weaknesses.length === 0) return undefined;
  return likelihoods.find((level) => weaknesses.some(({ likelihood }) => likelihood === level)) ?? '';
}

/** Where the impacts of a weakness come from, and why none is rated; empty, or sentences. */
export const contributionNote = ({
  cell,
  inheritedFrom,
  note,
}: Pick<RatedWeakness, 'cell' | 'inheritedFrom' | 'note'>): string =>
  cell === null && inheritedFrom !== null ? `${note} ${notRated}` : note;

function fallbackOf(weaknesses: readonly RatedWeakness[]): string {
  if (weaknesses.length === 0) return noWeakness;
  return weaknesses
    .map((weakness) => {
      const note = contributionNote(weakness);
      return note.startsWith(weakness.cwe) ? note : `${weakness.cwe}: ${note}`;
    })
    .join(' ');
}

/** Metrics by code; undefined without a valid vector. */
function metricsOf(cvssVector: string): ReadonlyMap<string, string> | undefined {
  const read = parseCvssVector(cvssVector);
  if (!read.ok) return undefined;
  return new Map(read.vector.split('/').map((metric) => metric.split(':') as [string, string]));
}

function factsOf({ cveId, cvssVector, asset, weaknesses }: CwssInputs, decisive: RatedWeakness | null) {
  return {
    impact: decisive?.cell
      ? {
          ...decisive.cell,
          cwe: cweNumber(decisive.cwe),
          inheritedFrom: decisive.inheritedFrom,
        }
      : undefined,
    fallbackReason: fallbackOf(weaknesses),
    cvss: metricsOf(cvssVector),
    cveId,
    likelihood: likelihoodOf(weaknesses),
    asset: asset ?? undefined,
  } satisfies FindingFacts;
}

/**
 * Calculates the CWSS 1.0.1 score of a vulnerability from stored inputs. The same inputs and formula version always give
 * the same result.
 */
export function calculateCwss(inputs: CwssInputs): CwssCalculation {
  const decisive = decisiveOf(inputs.weaknesses);
  const suggested = suggestFactors(factsOf(inputs, decisive));
  const chosen = cwssOrder.map((factor): [CwssFactor, SuggestedFactor] => {
    const override = inputs.overrides[factor];
    if (override === undefined) return [factor, suggested[factor]];
    const { code, weight, reason } = override;
    return [factor, { code, weight, source: 'analyst', reason }];
  });
  const factors = Object.fromEntries(chosen) as unknown as SuggestedFactors;
  return {
    ...scoreCwss(factors),
    vector: cwssVectorOf(factors),
    factors,
    suggested,
    decisive,
    fallback: decisive === null && factors.TI.source !== 'analyst' ? fallbackOf(inputs.weaknesses) : null,
  };
}
