import { useMemo, useState } from 'react';
import { Badge } from '../badge/badge.tsx';
import { DataTable } from '../table/data-table.tsx';
import { Empty } from '../text/empty.tsx';
import { listColumns, type ListColumn } from '../table/list-columns.ts';
import { loneLinkStyle } from '../button/link-style.ts';
import { Segmented } from '../input/segmented.tsx';
import type { Sort } from '../table/sort.ts';
import { sortRows } from '../table/sort-rows.ts';
import { KindShape } from './kind-shape.tsx';
import { colorings } from './coloring.ts';
import { graphKinds, valueText, type GraphNode } from './kinds.ts';
import type { GraphModel } from './model.ts';

interface GraphTablesProps {
  label: string;
  model: GraphModel;
  onOpen: (node: GraphNode) => void;
  canOpen: (node: GraphNode) => boolean;
}

interface NodeRow {
  readonly node: GraphNode;
  readonly relations: number;
  readonly open: (() => void) | undefined;
}

interface EdgeRow {
  readonly id: string;
  readonly source: GraphNode;
  readonly label: string;
  readonly target: GraphNode;
}

const nodeColumn = listColumns<NodeRow>();
const nodeColumns: ListColumn<NodeRow>[] = [
  nodeColumn.display({
    id: 'name',
    meta: { label: 'Name', sortable: true, rowHeader: true },
    cell: ({ row: { original } }) =>
      original.open === undefined ? (
        original.node.name
      ) : (
        <button type="button" onClick={original.open} className={`${loneLinkStyle} text-left`}>
          {original.node.name}
        </button>
      ),
  }),
  nodeColumn.display({
    id: 'kind',
    meta: { label: 'Kind', sortable: true, width: 144 },
    cell: ({ row }) => (
      <span className="flex items-center gap-1.5">
        <KindShape kind={row.original.node.kind} />
        {graphKinds[row.original.node.kind].one}
      </span>
    ),
  }),
  nodeColumn.display({
    id: 'score',
    meta: { label: 'Score', sortable: true, align: 'right', descendingFirst: true },
    cell: ({ row }) => <Score node={row.original.node} />,
  }),
  nodeColumn.display({
    id: 'scale',
    meta: { label: 'Scale', width: 152 },
    cell: ({ row }) => <span className="whitespace-nowrap">{graphKinds[row.original.node.kind].scale}</span>,
  }),
  nodeColumn.display({
    id: 'severity',
    meta: { label: 'Graph severity' },
    cell: ({ row }) => <Severity node={row.original.node} />,
  }),
  nodeColumn.display({
    id: 'relations',
    meta: { label: 'Relations', sortable: true, align: 'right', descendingFirst: true },
    cell: ({ row }) => row.original.relations,
  }),
];

const edgeColumn = listColumns<EdgeRow>();
const edgeColumns: ListColumn<EdgeRow>[] = [
  edgeColumn.display({
    id: 'source',
    meta: { label: 'From', sortable: true, rowHeader: true },
    cell: ({ row }) => <Named node={row.original.source} />,
  }),
  edgeColumn.display({
    id: 'label',
    meta: { label: 'Relation', sortable: true },
    cell: ({ row }) => row.original.label,
  }),
  edgeColumn.display({
    id: 'target',
    meta: { label: 'To', sortable: true, grow: true },
    cell: ({ row }) => <Named node={row.original.target} />,
  }),
];

function Score({ node }: { node: GraphNode }) {
  const value = valueText(node);
  if (value === '') return <Empty />;
  return (
    <span className="whitespace-nowrap">
      {value} / {graphKinds[node.kind].most}
    </span>
  );
}

function Severity({ node }: { node: GraphNode }) {
  const { label, tone, fill } = colorings.score.bandOf(node);
  return fill === 'unknown' ? <Empty /> : <Badge tone={tone}>{label}</Badge>;
}

function Named({ node }: { node: GraphNode }) {
  return (
    <span className="flex items-center gap-1.5">
      <KindShape kind={node.kind} />
      {node.name}
    </span>
  );
}

const nodeKeys: Record<string, (row: NodeRow) => string | number> = {
  name: ({ node }) => node.name,
  kind: ({ node }) => graphKinds[node.kind].one,
  // 0-10 for every kind, so that kinds can be compared.
  score: ({ node }) => node.score ?? -1,
  relations: ({ relations }) => relations,
};

const edgeKeys: Record<string, (row: EdgeRow) => string | number> = {
  source: ({ source }) => source.name,
  label: ({ label }) => label,
  target: ({ target }) => target.name,
};

const parts = [
  { value: 'nodes', label: 'Records' },
  { value: 'edges', label: 'Relations' },
] as const;

const standardNodeSort: Sort = '-relations';
const standardEdgeSort: Sort = 'source';

/** The graph as tables of all records and relations (WCAG 1.1.1). */
export function GraphTables({ label, model, onOpen, canOpen }: GraphTablesProps) {
  const [part, setPart] = useState<(typeof parts)[number]['value']>('nodes');
  const [nodeSort, setNodeSort] = useState(standardNodeSort);
  const [edgeSort, setEdgeSort] = useState(standardEdgeSort);
  const nodes = useMemo(
    () =>
      model.nodes.map((node) => ({
        node,
        relations: model.at.get(node._id)?.length ?? 0,
        open: !node.centre && canOpen(node) ? () => onOpen(node) : undefined,
      })),
    [model, canOpen, onOpen],
  );
  const edges = useMemo(() => model.edges.map((edge, index) => ({ ...edge, id: String(index) })), [model]);
  return (
    <>
      <div className="flex border-b px-4 py-2">
        <Segmented label="What the table shows" items={parts} value={part} onChange={setPart} />
      </div>
      {part === 'nodes' ? (
        <DataTable
          label={`${label}: records`}
          columns={nodeColumns}
          rows={sortRows(nodes, nodeSort, nodeKeys)}
          rowId={({ node }) => node._id}
          sort={nodeSort}
          standardSort={standardNodeSort}
          onSort={setNodeSort}
          empty={null}
        />
      ) : (
        <DataTable
          label={`${label}: relations`}
          columns={edgeColumns}
          rows={sortRows(edges, edgeSort, edgeKeys)}
          rowId={({ id }) => id}
          sort={edgeSort}
          standardSort={standardEdgeSort}
          onSort={setEdgeSort}
          empty={null}
        />
      )}
    </>
  );
}
