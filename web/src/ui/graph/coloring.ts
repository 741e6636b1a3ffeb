import type { AssetHealth } from '@riskboard/domain';
import type { BadgeTone } from '../badge/badge.tsx';
import { graphKinds, valueOf, type GraphFill, type GraphKind, type GraphNode } from './kinds.ts';

/** What the color of a node says. */
export interface NodeBand {
  readonly label: string;
  readonly fill: GraphFill;
  readonly tone: BadgeTone;
}

interface LegendEntry {
  readonly fill: GraphFill;
  readonly text: string;
}

/** How a graph colors and sizes its nodes. */
export interface Coloring {
  bandOf: (node: GraphNode) => NodeBand;
  /** Pixels at zoom 1. */
  radiusOf: (node: GraphNode) => number;
  /** Name of the band in the card of a node. */
  bandName: (kind: GraphKind) => string;
  /** The colors of a kind in the legend, and what they mean; nodes without a score are added to them. */
  legendOf: (kind: GraphKind) => { title: string; entries: readonly LegendEntry[] };
}

const noScore: NodeBand = { label: 'No score', fill: 'unknown', tone: 'neutral' };

/** Each kind by its own score. */
const byScore: Coloring = {
  bandOf(node) {
    const value = valueOf(node);
    if (value === null) return noScore;
    return graphKinds[node.kind].bands.find(({ from }) => value >= from) ?? noScore;
  },
  radiusOf: ({ kind }) => graphKinds[kind].radius,
  bandName: () => 'Graph severity',
  legendOf(kind) {
    const { scale, most, bands } = graphKinds[kind];
    return {
      title: `${scale}, 0–${most}`,
      entries: bands.map(({ label, fill, from }, index) => ({
        fill,
        text: `${label} ${from === 0 ? `< ${bands[index - 1]?.from}` : `≥ ${from}`}`,
      })),
    };
  },
};

const healthBands = {
  Critical: { label: 'Critical', fill: 'red', tone: 'danger' },
  Warning: { label: 'Warning', fill: 'amber', tone: 'medium' },
  Healthy: { label: 'Healthy', fill: 'green', tone: 'low' },
  Unknown: { label: 'Unknown', fill: 'unknown', tone: 'neutral' },
} as const satisfies Record<AssetHealth, NodeBand>;

/** Pixels at zoom 1 of an asset with the score 0, large enough for a label at the first zoom, and for each point. */
const assetRadius = { base: 14, perPoint: 1 } as const;

/** Assets by health, with a size by risk score; other kinds by their score. */
const byHealth: Coloring = {
  bandOf: (node) => (node.kind === 'asset' ? healthBands[node.health ?? 'Unknown'] : byScore.bandOf(node)),
  radiusOf: (node) =>
    node.kind === 'asset'
      ? assetRadius.base + assetRadius.perPoint * (node.score ?? 0)
      : byScore.radiusOf(node),
  bandName: (kind) => (kind === 'asset' ? 'Health' : byScore.bandName(kind)),
  legendOf: (kind) =>
    kind === 'asset'
      ? {
          title: 'Health; size: risk score',
          entries: [healthBands.Critical, healthBands.Warning, healthBands.Healthy].map(
            ({ label, fill }) => ({
              fill,
              text: label,
            }),
          ),
        }
      : byScore.legendOf(kind),
};

export const colorings = { score: byScore, health: byHealth } as const satisfies Record<string, Coloring>;
export type ColoringName = keyof typeof colorings;
