import type { WinningImpact } from '../cwraf/technical-impact.ts';
import { cwssOrder, cwssValueOf, positiveWeight, quantified, type CwssFactor } from './factors.ts';
import type { CwssChoice } from './vector.ts';

/** Where the value of a factor comes from. */
export type FactorSource = 'vignette' | 'CVSS' | 'CVE' | 'CWE' | 'asset' | 'analyst' | 'default';

export interface SuggestedFactor extends CwssChoice {
  readonly source: FactorSource;
  /** One sentence. */
  readonly reason: string;
}

export type SuggestedFactors = Readonly<Record<CwssFactor, SuggestedFactor>>;

/** What is known about a vulnerability. */
export interface FindingFacts {
  /** The rated technical impact of its weaknesses; undefined when none is mapped and rated. */
  readonly impact: WinningImpact | undefined;
  /** Why there is no impact; shown with the default value. */
  readonly fallbackReason: string;
  /** Metrics of its CVSS vector by code, of version 2.0, 3.0, 3.1 or 4.0; undefined without a vector. */
  readonly cvss: ReadonlyMap<string, string> | undefined;
  readonly cveId: string;
  /** Likelihood of an exploit in the CWE catalogue: High, Medium, Low or empty; undefined without a weakness. */
  readonly likelihood: string | undefined;
  /** The highest criticality (1-5) of its related assets, and the name of that asset. */
  readonly asset: { readonly name: string; readonly criticality: number } | undefined;
}

type Suggestion = readonly [code: string, source: FactorSource, reason: string];

const unset = (reason: string): Suggestion => ['D', 'default', reason];
const noVector = 'The vulnerability has no CVSS vector.';
/** Why nothing of the catalogue applies. */
export const noWeakness = 'The vulnerability has no CWE.';

/** Suggests from the first of some metrics that the vector has. */
function fromMetric(
  { cvss }: FindingFacts,
  table: Readonly<Record<string, Readonly<Record<string, string>>>>,
): Suggestion {
  if (cvss === undefined) return unset(noVector);
  for (const [metric, codes] of Object.entries(table)) {
    const stated = cvss.get(metric);
    const code = stated === undefined ? undefined : codes[stated];
    if (code !== undefined) return [code, 'CVSS', `CVSS states ${metric}:${stated}.`];
  }
  return unset('The CVSS vector does not state it.');
}

const complete = new Set(['H', 'C']);
const impactMetrics = [
  ['VC', 'VI', 'VA'],
  ['C', 'I', 'A'],
] as const;

/** Full control of the system when confidentiality, integrity and availability are lost completely. */
function acquiredPrivilege({ cvss }: FindingFacts): Suggestion {
  if (cvss === undefined) return unset(noVector);
  const metrics = impactMetrics.find(([first]) => cvss.has(first)) ?? impactMetrics[1];
  return metrics.every((metric) => complete.has(cvss.get(metric) ?? ''))
    ? ['A', 'CVSS', `CVSS states complete loss (${metrics.join(', ')}).`]
    : unset('CVSS does not state complete loss of confidentiality, integrity and availability.');
}

const likelihoodCodes: Readonly<Record<string, string>> = { High: 'H', Medium: 'M', Low: 'L' };

function exploitLikelihood({ likelihood }: FindingFacts): Suggestion {
  if (likelihood === undefined) return unset(noWeakness);
  const code = likelihoodCodes[likelihood];
  return code === undefined
    ? unset('The CWE catalogue states no likelihood of an exploit.')
    : [code, 'CWE', `The CWE catalogue states the likelihood ${likelihood}.`];
}

/** By the criticality of the asset, from 5. A related asset has some impact, so that no criticality weighs 0. */
const businessCodes = ['C', 'H', 'M', 'L', 'L'] as const;

function businessImpact({ asset }: FindingFacts): Suggestion {
  const code = asset && businessCodes[5 - asset.criticality];
  return asset === undefined || code === undefined
    ? unset('No related asset has a criticality.')
    : [code, 'asset', `${asset.name} has the criticality ${asset.criticality} of 5.`];
}

/** Whether a text is a CVE id: such a vulnerability is published. */
export const isPublished = (cveId: string): boolean => /^CVE-\d{4}-\d{4,}$/iu.test(cveId);

/** All factors but the technical impact. */
const suggestions: Readonly<Record<Exclude<CwssFactor, 'TI'>, (facts: FindingFacts) => Suggestion>> = {
  AP: acquiredPrivilege,
  // The layer of the decisive cell is not used: a higher rating at another layer could lower the score.
  AL: () => unset('Neither CVSS nor CWE states the layer.'),
  IC: () => ['N', 'default', 'No control inside the software is known.'],
  FC: ({ cveId }) =>
    isPublished(cveId) ? ['T', 'CVE', `${cveId} is published.`] : unset('It has no CVE id.'),
  RP: (facts) => fromMetric(facts, { PR: { N: 'N', L: 'RU', H: 'A' }, Au: { N: 'N', S: 'RU', M: 'RU' } }),
  RL: () => unset('CVSS does not state the layer.'),
  AV: (facts) => fromMetric(facts, { AV: { N: 'I', A: 'A', L: 'L', P: 'P' } }),
  AS: (facts) => fromMetric(facts, { PR: { N: 'N' }, Au: { N: 'N' } }),
  IN: (facts) => fromMetric(facts, { UI: { N: 'A', R: 'T', P: 'T', A: 'M' } }),
  SC: () => unset('The share of affected installations is not known.'),
  BI: businessImpact,
  DI: ({ cveId }) =>
    isPublished(cveId) ? ['H', 'CVE', `${cveId} is published.`] : unset('It has no CVE id.'),
  EX: exploitLikelihood,
  EC: () => ['N', 'default', 'No control outside the software is known.'],
  P: () => ['NA', 'default', 'Prevalence does not matter for a single finding.'],
};

function technicalImpact({ impact, fallbackReason }: FindingFacts): SuggestedFactor {
  if (impact === undefined) {
    const weight = cwssValueOf('TI', 'D')?.weight ?? 0;
    return { code: 'D', weight, source: 'default', reason: fallbackReason };
  }
  const { impact: name, layer, subscore, cwe } = impact;
  return {
    code: quantified,
    weight: subscore === 0 ? 0 : positiveWeight(subscore / 10),
    source: 'vignette',
    reason: `CWE-${cwe}: ${name} at the layer ${layer} is rated ${subscore} of 10.`,
  };
}

/**
 * A value with its reason for each factor, from what is known about a vulnerability. CWSS defines no mapping from CVSS;
 * this one is ours. What is not known has the value Default, so that completeness can be stated.
 */
export function suggestFactors(facts: FindingFacts): SuggestedFactors {
  const entries = cwssOrder.map((factor): [CwssFactor, SuggestedFactor] => {
    if (factor === 'TI') return [factor, technicalImpact(facts)];
    const [code, source, reason] = suggestions[factor](facts);
    const weight = cwssValueOf(factor, code)?.weight ?? 0;
    return [factor, { code, weight, source, reason }];
  });
  return Object.fromEntries(entries) as unknown as SuggestedFactors;
}
