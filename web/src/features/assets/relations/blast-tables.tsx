import type { BlastRadius } from '@riskboard/contract';
import { formatCount, plural } from '@riskboard/domain';
import { Link } from '@tanstack/react-router';
import { Route } from 'lucide-react';
import { useState } from 'react';
import { pagesOf } from '../../../lib/entity/entity.ts';
import { AssetRiskBadge, HealthBadge } from '../../../ui/badge/asset-badge.tsx';
import { SeverityBadge } from '../../../ui/badge/badge.tsx';
import { Button } from '../../../ui/button/button.tsx';
import { loneLinkStyle } from '../../../ui/button/link-style.ts';
import { EmptyState } from '../../../ui/feedback/empty-state.tsx';
import { Segmented } from '../../../ui/input/segmented.tsx';
import { DataTable } from '../../../ui/table/data-table.tsx';
import { listColumns, type ListColumn } from '../../../ui/table/list-columns.ts';
import type { Sort } from '../../../ui/table/sort.ts';
import { sortRows } from '../../../ui/table/sort-rows.ts';

type Dependent = BlastRadius['nodes'][number];
type Exposure = BlastRadius['exposure'][number] & { readonly show: (() => void) | undefined };

const assetColumn = listColumns<Dependent>();
const assetColumns: ListColumn<Dependent>[] = [
  assetColumn.display({
    id: 'name',
    meta: { label: 'Asset', sortable: true, rowHeader: true },
    cell: ({ row: { original } }) => (
      <Link to={pagesOf('assets').detail} params={{ id: original._id }} className={loneLinkStyle}>
        {original.name}
      </Link>
    ),
  }),
  assetColumn.display({
    id: 'distance',
    meta: { label: 'Steps', sortable: true, align: 'right', width: 96 },
    cell: ({ row }) => row.original.distance,
  }),
  assetColumn.display({
    id: 'riskScore',
    meta: { label: 'Risk Score', sortable: true, descendingFirst: true, width: 160 },
    cell: ({ row }) => <AssetRiskBadge score={row.original.riskScore} />,
  }),
  assetColumn.display({
    id: 'health',
    meta: { label: 'Health', sortable: true, width: 128 },
    cell: ({ row }) => <HealthBadge health={row.original.health} />,
  }),
];

const assetKeys: Record<string, (row: Dependent) => string | number> = {
  name: ({ name }) => name,
  distance: ({ distance }) => distance,
  riskScore: ({ riskScore }) => riskScore,
  health: ({ health }) => health,
};

const vulnerabilityColumn = listColumns<Exposure>();
const vulnerabilityColumns: ListColumn<Exposure>[] = [
  vulnerabilityColumn.display({
    id: 'name',
    meta: { label: 'Vulnerability', sortable: true, rowHeader: true },
    cell: ({ row: { original } }) => (
      <Link
        to={pagesOf('vulnerabilities').detail}
        params={{ id: original.vulnerability._id }}
        className={loneLinkStyle}
      >
        {original.vulnerability.name}
      </Link>
    ),
  }),
  vulnerabilityColumn.display({
    id: 'severity',
    meta: { label: 'Severity', sortable: true, descendingFirst: true, width: 128 },
    cell: ({ row: { original } }) => <SeverityBadge score={scoreOf(original)} />,
  }),
  vulnerabilityColumn.display({
    id: 'distance',
    meta: { label: 'Steps', sortable: true, align: 'right', width: 96 },
    cell: ({ row }) => row.original.distance,
  }),
  vulnerabilityColumn.display({
    id: 'path',
    meta: { label: 'Path', grow: true },
    cell: ({ row }) => <span className="whitespace-normal">{pathText(row.original)}</span>,
  }),
  vulnerabilityColumn.display({
    id: 'show',
    meta: { label: 'Show in the graph', hideLabel: true, width: 128 },
    cell: ({ row: { original } }) =>
      original.show !== undefined && (
        <Button
          size="sm"
          variant="ghost"
          aria-label={`Show the path of ${original.vulnerability.name}`}
          icon={<Route aria-hidden size={14} />}
          onClick={original.show}
        >
          Show path
        </Button>
      ),
  }),
];

const scoreOf = ({ vulnerability: { cvssScore, severity } }: Exposure): number | null =>
  cvssScore ?? severity;

/** The assets of a path, from the asset down to the one that has the vulnerability. */
export const pathText = ({ path }: Pick<Exposure, 'path'>): string =>
  path.map(({ name }) => name).join(' → ');

const vulnerabilityKeys: Record<string, (row: Exposure) => string | number> = {
  name: ({ vulnerability }) => vulnerability.name,
  severity: (row) => scoreOf(row) ?? -1,
  distance: ({ distance }) => distance,
};

const parts = [
  { value: 'assets', label: 'Assets' },
  { value: 'vulnerabilities', label: 'Vulnerabilities' },
] as const;

const standardSorts = { assets: 'distance', vulnerabilities: '-severity' } as const;

interface BlastTablesProps {
  blast: BlastRadius;
  /** Shows a vulnerability with its path in the graph; undefined when the browser cannot draw. */
  showNode: ((id: string) => void) | undefined;
}

/** Everything in a blast radius as tables (WCAG 1.1.1). */
export function BlastTables({ blast, showNode }: BlastTablesProps) {
  const [part, setPart] = useState<(typeof parts)[number]['value']>('assets');
  const [assetSort, setAssetSort] = useState<Sort>(standardSorts.assets);
  const [vulnerabilitySort, setVulnerabilitySort] = useState<Sort>(standardSorts.vulnerabilities);
  const exposure = blast.exposure.map((one) => ({
    ...one,
    show: showNode && (() => showNode(one.vulnerability._id)),
  }));
  return (
    <>
      <div className="flex flex-wrap items-center justify-between gap-3 border-b px-4 py-2">
        <Segmented label="What the table shows" items={parts} value={part} onChange={setPart} />
        <p className="text-xs text-muted">
          {part === 'assets' ? dependentsNote(blast) : exposureNote(blast)}
        </p>
      </div>
      {part === 'assets' ? (
        <DataTable
          label="Assets that depend on it"
          columns={assetColumns}
          rows={sortRows(blast.nodes, assetSort, assetKeys)}
          rowId={({ _id }) => _id}
          sort={assetSort}
          standardSort={standardSorts.assets}
          onSort={setAssetSort}
          empty={<EmptyState title="No asset depends on it." />}
        />
      ) : (
        <DataTable
          label="Open vulnerabilities that reach it"
          columns={vulnerabilityColumns}
          rows={sortRows(exposure, vulnerabilitySort, vulnerabilityKeys)}
          rowId={({ vulnerability }) => vulnerability._id}
          sort={vulnerabilitySort}
          standardSort={standardSorts.vulnerabilities}
          onSort={setVulnerabilitySort}
          empty={<EmptyState title="No open vulnerability reaches it." />}
        />
      )}
    </>
  );
}

const dependentsNote = ({ nodes, truncated }: BlastRadius): string =>
  truncated ? `The nearest ${plural(nodes.length, 'asset')}` : plural(nodes.length, 'asset');

const exposureNote = ({ exposure, exposureTotal }: BlastRadius): string =>
  exposure.length < exposureTotal
    ? `The ${formatCount(exposure.length)} most severe of ${formatCount(exposureTotal)}`
    : plural(exposureTotal, 'vulnerability', 'vulnerabilities');
