import type { ProjectMap } from '@riskboard/contract';
import { formatCount, plural } from '@riskboard/domain';
import type { GraphData } from '../../../ui/graph/model.ts';

/** The map of a project as a graph without a central record. */
export const mapGraphOf = ({ nodes, edges, truncated }: ProjectMap): GraphData => ({
  nodes: nodes.map(({ _id, name, riskScore, health }) => ({
    _id,
    kind: 'asset',
    name,
    score: riskScore,
    riskLevel: null,
    health,
    centre: false,
  })),
  edges: edges.map(({ from, to }) => ({
    source: from,
    target: to,
    label: 'depends on',
    back: 'required by',
  })),
  more: truncated,
});

/** 'The 1,500 of 100,000 assets with the highest risk scores are shown.' */
export function mapSummary({ total, leftOut, nodes }: ProjectMap, id: string): string {
  const others = nodes.filter(({ projectId }) => projectId !== id).length;
  const own =
    leftOut === 0
      ? plural(total, 'asset')
      : `The ${formatCount(total - leftOut)} of ${formatCount(total)} assets with the highest risk scores; ${formatCount(leftOut)} are left out`;
  return others === 0 ? `${own}.` : `${own}, and ${formatCount(others)} of other projects.`;
}
