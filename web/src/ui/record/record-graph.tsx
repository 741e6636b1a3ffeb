import type { Graph } from '@riskboard/contract';
import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { recordPages } from '../../lib/record-pages.ts';
import { recordGraphQuery, type RecordNoun } from '../../lib/record-queries.ts';
import { RelationGraph, type GraphNode } from '../graph/relation-graph.tsx';

/** Pages of the records that a graph shows; the other kinds have none. */
const pages = {
  vulnerability: recordPages.vulnerabilities,
  threat: recordPages.threats,
} as const satisfies Partial<Record<Graph['nodes'][number]['kind'], string>>;

const pageOf = ({ kind }: GraphNode) => (kind in pages ? pages[kind as keyof typeof pages] : undefined);

interface RecordGraphProps {
  noun: RecordNoun;
  id: string;
  /** Names the card. */
  label: string;
  /** What to do while nothing is related. */
  action: ReactNode;
}

/** A record, its related assets and what else concerns those, 600 px tall (spec 2). */
export function RecordGraph({ noun, id, label, action }: RecordGraphProps) {
  const query = useQuery(recordGraphQuery(noun, id));
  const navigate = useNavigate();
  function open(node: GraphNode): void {
    const to = pageOf(node);
    if (to !== undefined) void navigate({ to, params: { id: node._id } });
  }
  return (
    <RelationGraph
      label={label}
      query={query}
      onOpen={open}
      canOpen={(node) => pageOf(node) !== undefined && node._id !== id}
      emptyHint={{ description: 'Relate assets to it, and they are drawn here.', action }}
    />
  );
}
