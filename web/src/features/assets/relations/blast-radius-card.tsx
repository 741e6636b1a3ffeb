import { plural } from '@riskboard/domain';
import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useMemo, type ReactNode } from 'react';
import { pagesOf } from '../../../lib/entity/entity.ts';
import { RelationGraph, type GraphNode } from '../../../ui/graph/relation-graph.tsx';
import { blastGraphOf, blastSummary, type Origin } from './blast-graph.ts';
import { BlastTables, pathText } from './blast-tables.tsx';
import { blastRadiusQuery } from './queries.ts';

/** What depends on an asset and through how many steps, and which open vulnerabilities reach it. */
export function BlastRadiusCard({ origin }: { origin: Origin }) {
  const { _id, name, riskScore, health } = origin;
  const query = useQuery(blastRadiusQuery(_id));
  const navigate = useNavigate();
  const { data: blast } = query;
  const graph = useMemo(
    () => blast && blastGraphOf({ _id, name, riskScore, health }, blast),
    [blast, _id, name, riskScore, health],
  );

  function open({ kind, _id: id }: GraphNode): void {
    const { detail } = pagesOf(kind === 'asset' ? 'assets' : 'vulnerabilities');
    void navigate({ to: detail, params: { id } });
  }

  function details(node: GraphNode): ReactNode {
    const exposed = blast?.exposure.find(({ vulnerability }) => vulnerability._id === node._id);
    if (exposed !== undefined) {
      return (
        <p>
          <span className="text-muted">Path </span>
          {pathText(exposed)}
        </p>
      );
    }
    const steps = blast?.nodes.find((one) => one._id === node._id)?.distance;
    return steps !== undefined && <p>Depends on it through {plural(steps, 'step')}.</p>;
  }

  return (
    <RelationGraph
      label="Blast radius"
      query={{ ...query, data: graph?.data }}
      coloring="health"
      onOpen={open}
      details={details}
      pathOf={(node) => graph?.paths.get(node._id)}
      shownNote="only the nearest assets and the most severe vulnerabilities are shown"
      summary={blast && <p className="border-b px-4 py-3 text-base">{blastSummary(blast)}</p>}
      renderTables={(showNode) => blast && <BlastTables blast={blast} showNode={showNode} />}
      failure="Failed to load the blast radius."
      emptyHint={{
        title: 'Nothing in the blast radius.',
        description: 'No asset depends on this one. Open an asset that needs it and relate it there.',
      }}
    />
  );
}
