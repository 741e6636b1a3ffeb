import type { Threat } from '@riskboard/contract';
import { Badge } from '../../ui/badge.tsx';
import { listColumns } from '../../ui/list-columns.ts';
import { Time } from '../../ui/time.tsx';
import { riskBandOf, threatTypes } from './scales.ts';

const column = listColumns<Threat>();

/** An empty value is told, never invented (contract, Meanings). */
const Maybe = ({ text }: { text: string }) =>
  text === '' ? <span className="text-muted">N/A</span> : <span>{text}</span>;

const name = column.display({
  id: 'name',
  meta: { label: 'Name', sortable: true, rowHeader: true },
  cell: ({ row: { original } }) => (
    <span className="flex min-w-40 flex-wrap items-center gap-2">
      <span className="font-medium">{original.name}</span>
      {original.withdrawn !== null && <Badge tone="warning">{original.withdrawn}</Badge>}
    </span>
  ),
});
const threatID = column.display({
  id: 'threatID',
  meta: { label: 'Threat ID', sortable: true },
  cell: ({ row: { original } }) => (
    <span className="whitespace-nowrap tabular-nums">
      <Maybe text={original.threatID} />
    </span>
  ),
});
const type = column.display({
  id: 'type',
  meta: { label: 'Type', from: 'sm' },
  cell: ({ row: { original } }) => (
    <span className="whitespace-nowrap">
      <Maybe text={threatTypes.get(original.threatTypeId ?? 0) ?? ''} />
    </span>
  ),
});
const kind = column.display({
  id: 'kind',
  meta: { label: 'STIX type', sortable: true, from: 'md' },
  cell: ({ row: { original } }) =>
    original.kind === '' ? (
      <Maybe text="" />
    ) : (
      <code className="font-mono text-sm whitespace-nowrap">{original.kind}</code>
    ),
});
const riskLevel = column.display({
  id: 'riskLevel',
  meta: { label: 'Risk Level', sortable: true },
  cell: ({
    row: {
      original: { riskLevel: level },
    },
  }) => {
    if (level === null) return <Maybe text="" />;
    const { word, tone } = riskBandOf(level);
    return (
      <Badge tone={tone}>
        {level} {word}
      </Badge>
    );
  },
});
const sourceFile = column.display({
  id: 'sourceFile',
  meta: { label: 'Source File', sortable: true, from: 'md' },
  cell: ({ row: { original } }) => (
    <span className="line-clamp-1 max-w-70 min-w-40 break-all" title={original.sourceFile}>
      <Maybe text={original.sourceFile} />
    </span>
  ),
});
const createdAt = column.display({
  id: 'createdAt',
  meta: { label: 'Created At', sortable: true, from: 'lg' },
  cell: ({ row: { original } }) => <Time value={original.createdAt} form="absolute" />,
});

/** What reports gave (spec 2, Threat data list). */
export const threatDataColumns = [name, threatID, kind, sourceFile, createdAt];

/** All threats (spec 2, Threats list). */
export const threatsColumns = [name, threatID, type, kind, riskLevel, sourceFile, createdAt];
