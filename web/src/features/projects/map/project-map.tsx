import { projects, type ProjectMap as MapReply } from '@riskboard/contract';
import { queryOptions, useQuery } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import { useMemo, useState } from 'react';
import { call } from '../../../lib/api/call.ts';
import { pagesOf } from '../../../lib/entity/entity.ts';
import { AssetRiskBadge, HealthBadge } from '../../../ui/badge/asset-badge.tsx';
import { loneLinkStyle } from '../../../ui/button/link-style.ts';
import { RelationGraph, type GraphNode } from '../../../ui/graph/relation-graph.tsx';
import { DataTable } from '../../../ui/table/data-table.tsx';
import { listColumns, type ListColumn } from '../../../ui/table/list-columns.ts';
import type { Sort } from '../../../ui/table/sort.ts';
import { sortRows } from '../../../ui/table/sort-rows.ts';
import { mapGraphOf, mapSummary } from './map-graph.ts';

const mapQuery = (id: string) =>
  queryOptions({
    queryKey: ['projects', 'map', id],
    queryFn: ({ signal }) => call(projects.map, { params: { id }, signal }),
  });

/** The assets of a project and how they depend on each other: colored by health, sized by risk score. */
export function ProjectMap({ id }: { id: string }) {
  const query = useQuery(mapQuery(id));
  const navigate = useNavigate();
  const { data: map } = query;
  const graph = useMemo(() => map && mapGraphOf(map), [map]);

  function projectNote({ _id }: GraphNode) {
    const found = map?.nodes.find((one) => one._id === _id);
    return (
      found !== undefined && (
        <p>
          <span className="text-muted">Project </span>
          {found.projectName}
        </p>
      )
    );
  }

  return (
    <RelationGraph
      label="Dependency map"
      query={{ ...query, data: graph }}
      coloring="health"
      least={1}
      onOpen={({ _id }) => void navigate({ to: pagesOf('assets').detail, params: { id: _id } })}
      details={projectNote}
      shownNote="highest risk scores first"
      summary={
        map && map.nodes.length > 0 && <p className="border-b px-4 py-3 text-sm">{mapSummary(map, id)}</p>
      }
      renderTables={() => map && <MapTable map={map} />}
      failure="Failed to load the dependency map."
      emptyHint={{
        title: 'No assets found.',
        description: 'Add assets to this project to see how they depend on each other.',
      }}
    />
  );
}

interface Row {
  readonly node: MapReply['nodes'][number];
  /** Assets on the map that it depends on, and that depend on it. */
  readonly below: number;
  readonly above: number;
}

const column = listColumns<Row>();
const columns: ListColumn<Row>[] = [
  column.display({
    id: 'name',
    meta: { label: 'Asset', sortable: true, rowHeader: true },
    cell: ({ row: { original } }) => (
      <Link to={pagesOf('assets').detail} params={{ id: original.node._id }} className={loneLinkStyle}>
        {original.node.name}
      </Link>
    ),
  }),
  column.display({
    id: 'project',
    meta: { label: 'Project', sortable: true, width: 160 },
    cell: ({ row }) => row.original.node.projectName,
  }),
  column.display({
    id: 'riskScore',
    meta: { label: 'Risk Score', sortable: true, descendingFirst: true, width: 144 },
    cell: ({ row }) => <AssetRiskBadge score={row.original.node.riskScore} />,
  }),
  column.display({
    id: 'health',
    meta: { label: 'Health', sortable: true, width: 128 },
    cell: ({ row }) => <HealthBadge health={row.original.node.health} />,
  }),
  column.display({
    id: 'below',
    meta: { label: 'Depends on', sortable: true, align: 'right', descendingFirst: true, width: 128 },
    cell: ({ row }) => row.original.below,
  }),
  column.display({
    id: 'above',
    meta: { label: 'Required by', sortable: true, align: 'right', descendingFirst: true, width: 128 },
    cell: ({ row }) => row.original.above,
  }),
];

const keys: Record<string, (row: Row) => string | number> = {
  name: ({ node }) => node.name,
  project: ({ node }) => node.projectName,
  riskScore: ({ node }) => node.riskScore,
  health: ({ node }) => node.health,
  below: ({ below }) => below,
  above: ({ above }) => above,
};

const standardSort: Sort = '-riskScore';

function MapTable({ map }: { map: MapReply }) {
  const [sort, setSort] = useState(standardSort);
  const rows = useMemo(() => {
    const [below, above] = [new Map<string, number>(), new Map<string, number>()];
    for (const { from, to } of map.edges) {
      below.set(from, (below.get(from) ?? 0) + 1);
      above.set(to, (above.get(to) ?? 0) + 1);
    }
    return map.nodes.map((node): Row => ({
      node,
      below: below.get(node._id) ?? 0,
      above: above.get(node._id) ?? 0,
    }));
  }, [map]);
  return (
    <DataTable
      label="Assets of the map"
      columns={columns}
      rows={sortRows(rows, sort, keys)}
      rowId={({ node }) => node._id}
      sort={sort}
      standardSort={standardSort}
      onSort={setSort}
      empty={null}
    />
  );
}
