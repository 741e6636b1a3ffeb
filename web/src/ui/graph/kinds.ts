import type { Graph } from '@riskboard/contract';
import { type AssetHealth, assetRiskBands, severityBands, threatSeverityBands } from '@riskboard/domain';
import { formatScore } from '../../lib/format/format.ts';
import type { BadgeTone } from '../badge/badge.tsx';

export type GraphNode = Graph['nodes'][number] & {
  /** Of an asset, in graphs that are colored by health. */
  readonly health?: AssetHealth;
};
export type GraphKind = GraphNode['kind'];

/** Fill colors of nodes. */
export type GraphFill = 'critical' | 'high' | 'medium' | 'low' | 'red' | 'amber' | 'green' | 'unknown';

/** A range of a kind's scale, with its label and colors in the graph. */
export interface GraphBand {
  readonly label: string;
  /** Lowest value of the range. */
  readonly from: number;
  readonly fill: GraphFill;
  readonly tone: BadgeTone;
}

/** Dark red, orange, yellow, green (spec 4: node colors by CVSS; threats have the same four severities, spec 9). */
const bySeverity = (bands: typeof severityBands | typeof threatSeverityBands): readonly GraphBand[] =>
  bands.map(({ value, label, from }) => ({ label, from, fill: value, tone: value }));

/** Green, amber, red (spec 4: posture of an asset). */
const postures = {
  high: { fill: 'red', tone: 'danger' },
  medium: { fill: 'amber', tone: 'medium' },
  low: { fill: 'green', tone: 'low' },
} as const;
const riskScore = {
  scale: 'Risk score',
  most: 10,
  bands: assetRiskBands.map(({ value, ...band }): GraphBand => ({ ...band, ...postures[value] })),
} as const;

/** Labels of each kind, its scale from 0 to `most` with its ranges, and its radius in pixels at zoom 1. */
export const graphKinds = {
  vulnerability: {
    one: 'Vulnerability',
    many: 'Vulnerabilities',
    scale: 'CVSS or severity',
    most: 10,
    bands: bySeverity(severityBands),
    radius: 11,
  },
  threat: {
    one: 'Threat',
    many: 'Threats',
    scale: 'Risk level',
    most: 100,
    bands: bySeverity(threatSeverityBands),
    radius: 12,
  },
  asset: { one: 'Asset', many: 'Assets', ...riskScore, radius: 12 },
  project: { one: 'Project', many: 'Projects', ...riskScore, radius: 15 },
} as const satisfies Record<GraphKind, unknown>;

/** Radius of the central record, larger than all others. */
export const centreRadius = 20;

/** Value of a node on the scale of its kind; null when unknown. */
export const valueOf = ({ kind, score, riskLevel }: GraphNode): number | null =>
  kind === 'threat' ? riskLevel : score;

/** The number of a node as its record's page and lists show it: '9.8', or '85' for a threat; empty when unknown. */
export function valueText(node: GraphNode): string {
  const value = valueOf(node);
  if (value === null) return '';
  return node.kind === 'threat' ? String(value) : formatScore(value);
}
