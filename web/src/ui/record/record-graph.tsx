import type { Graph } from '@riskboard/contract';
import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { pagesOf } from '../../lib/entity/entity.ts';
import { graphQuery } from '../../lib/entity/queries.ts';
import { RelationGraph, type GraphNode } from '../graph/relation-graph.tsx';
import { useImportableRecord } from './facts.tsx';
import { EditLink } from './record-links.tsx';

/** Pages of the records in a graph. */
const pages = {
  vulnerability: pagesOf('vulnerabilities').detail,
  threat: pagesOf('threats').detail,
  asset: pagesOf('assets').detail,
  project: pagesOf('projects').detail,
} as const satisfies Record<Graph['nodes'][number]['kind'], string>;

/** The graph of the record around it, 600 px tall (spec 2). */
export function RecordGraph({ label }: { label: string }) {
  const { entity, record } = useImportableRecord();
  const { _id: id } = record;
  const query = useQuery(graphQuery(entity, id));
  const navigate = useNavigate();
  const open = ({ kind, _id }: GraphNode) => void navigate({ to: pages[kind], params: { id: _id } });
  return (
    <RelationGraph
      label={label}
      query={query}
      onOpen={open}
      canOpen={(node) => node._id !== id}
      emptyHint={{
        description: 'Relate assets to see them here.',
        action: <EditLink entity={entity} id={id} label="Relate assets" />,
      }}
    />
  );
}
