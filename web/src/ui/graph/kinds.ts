import type { Graph } from '@riskboard/contract';
import { graphSeverityOf, severityBandOf } from '@riskboard/domain';

export type GraphNode = Graph['nodes'][number];
export type GraphKind = GraphNode['kind'];

/** Band of a node's score. */
export type GraphBand = 'critical' | 'high' | 'medium' | 'low' | 'unknown';

/** Below 3 low, below 7 medium, otherwise high (spec 9, Assets). */
function assetBandOf(score: number): GraphBand {
  if (score < 3) return 'low';
  return score < 7 ? 'medium' : 'high';
}

/** Labels of each kind, the meaning of its score, and its radius in pixels at zoom 1. */
export const graphKinds = {
  vulnerability: {
    one: 'Vulnerability',
    many: 'Vulnerabilities',
    score: 'CVSS or severity',
    radius: 11,
    bandOf: (score: number): GraphBand => severityBandOf(score).value,
  },
  threat: {
    one: 'Threat',
    many: 'Threats',
    score: 'Risk score',
    radius: 12,
    // Not rounded: 7.96 is below 8.
    bandOf: (score: number): GraphBand => graphSeverityOf(score * 10),
  },
  asset: { one: 'Asset', many: 'Assets', score: 'Risk score', radius: 12, bandOf: assetBandOf },
  project: { one: 'Project', many: 'Projects', score: 'Risk score', radius: 15, bandOf: assetBandOf },
} as const satisfies Record<GraphKind, unknown>;

/** Radius of the central record, larger than all others. */
export const centreRadius = 20;

export const bandLabels = {
  critical: 'Critical',
  high: 'High',
  medium: 'Medium',
  low: 'Low',
  unknown: 'No score',
} as const satisfies Record<GraphBand, string>;

/** Band of a node (spec 4: colors by CVSS; spec 9: threats and assets have their own bands). */
export const bandOf = ({ kind, score }: Pick<GraphNode, 'kind' | 'score'>): GraphBand =>
  score === null ? 'unknown' : graphKinds[kind].bandOf(score);
