/** Factors of the temporal and environmental equations ("A Complete Guide to CVSS v2.0", 3.2). */
const factors = {
  AV: { L: 0.395, A: 0.646, N: 1 },
  AC: { H: 0.35, M: 0.61, L: 0.71 },
  Au: { M: 0.45, S: 0.56, N: 0.704 },
  C: { N: 0, P: 0.275, C: 0.66 },
  I: { N: 0, P: 0.275, C: 0.66 },
  A: { N: 0, P: 0.275, C: 0.66 },
  E: { U: 0.85, POC: 0.9, F: 0.95, H: 1 },
  RL: { OF: 0.87, TF: 0.9, W: 0.95, U: 1 },
  RC: { UC: 0.9, UR: 0.95, C: 1 },
  CDP: { N: 0, L: 0.1, LM: 0.3, MH: 0.4, H: 0.5 },
  TD: { N: 0, L: 0.25, M: 0.75, H: 1 },
  CR: { L: 0.5, M: 1, H: 1.51 },
  IR: { L: 0.5, M: 1, H: 1.51 },
  AR: { L: 0.5, M: 1, H: 1.51 },
} as const satisfies Record<string, Record<string, number>>;
type Metric = keyof typeof factors;

/** Factor of a metric that is absent or not defined. */
const neutral = (metric: Metric): number => (metric === 'CDP' ? 0 : 1);

/** Rounds to one decimal; compensates binary fractions just below a half. */
const round = (score: number): number => Math.round((score + 1e-9) * 10) / 10;

type Values = ReadonlyMap<string, string>;

/** Temporal score from the rounded base score (3.2.2). */
export function temporal2(values: Values, base: number): number {
  const factor = factorIn(values);
  return round(base * factor('E') * factor('RL') * factor('RC'));
}

/**
 * Environmental score (3.2.3): the temporal score of the adjusted impact, each step rounded as in the guide. The
 * library rounds only at the end and does not reproduce the guide's examples.
 */
export function environmental2(values: Values): number {
  const factor = factorIn(values);
  const kept = (impact: Metric, requirement: Metric) => 1 - factor(impact) * factor(requirement);
  const impact = Math.min(10, 10.41 * (1 - kept('C', 'CR') * kept('I', 'IR') * kept('A', 'AR')));
  const exploitability = 20 * factor('AV') * factor('AC') * factor('Au');
  // A low requirement can make the equation negative; the scale starts at 0.
  const base = impact === 0 ? 0 : Math.max(0, round((0.6 * impact + 0.4 * exploitability - 1.5) * 1.176));
  const temporal = temporal2(values, base);
  return round((temporal + (10 - temporal) * factor('CDP')) * factor('TD'));
}

function factorIn(values: Values): (metric: Metric) => number {
  return (metric) => {
    const known: Record<string, number> = factors[metric];
    return known[values.get(metric) ?? ''] ?? neutral(metric);
  };
}
