import type { Vulnerability } from '@riskboard/contract';
import { Badge } from '../../ui/badge.tsx';
import { listColumns } from '../../ui/list-columns.ts';
import { SeverityBadge } from '../../ui/severity-badge.tsx';
import { Time } from '../../ui/time.tsx';

const column = listColumns<Vulnerability>();

/** Status as a person reads it; any other value displays 'Unknown' (spec 4). */
const statuses = {
  open: { word: 'Open', tone: 'warning' },
  mitigated: { word: 'Mitigated', tone: 'info' },
  fixed: { word: 'Fixed', tone: 'success' },
  accepted: { word: 'Accepted', tone: 'neutral' },
} as const;
const unknown = { word: 'Unknown', tone: 'neutral' } as const;

const isStatus = (status: string): status is keyof typeof statuses => Object.hasOwn(statuses, status);

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
const severity = column.display({
  id: 'severity',
  meta: { label: 'Severity', sortable: true },
  cell: ({ row: { original } }) => <SeverityBadge score={original.severity} />,
});
const status = column.display({
  id: 'status',
  meta: { label: 'Status', sortable: true, from: 'sm' },
  cell: ({ row: { original } }) => {
    const { word, tone } = isStatus(original.status) ? statuses[original.status] : unknown;
    return <Badge tone={tone}>{word}</Badge>;
  },
});
const cve = column.display({
  id: 'cveId',
  meta: { label: 'CVE', sortable: true, from: 'md' },
  cell: ({ row: { original } }) => (
    <span className="whitespace-nowrap tabular-nums">
      <Maybe text={original.cveId} />
    </span>
  ),
});
const cwe = column.display({
  id: 'cwe',
  meta: { label: 'CWE', from: 'lg' },
  cell: ({
    row: {
      original: { cwe: all },
    },
  }) => (
    <span className="whitespace-nowrap" title={all.join(', ')}>
      <Maybe text={all.slice(0, 2).join(', ')} />
      {all.length > 2 && <span className="text-muted"> +{all.length - 2}</span>}
    </span>
  ),
});
const cvss = column.display({
  id: 'cvssScore',
  meta: { label: 'CVSS', sortable: true, align: 'right' },
  cell: ({ row: { original } }) =>
    original.cvssScore === null ? <span className="text-muted">N/A</span> : original.cvssScore.toFixed(1),
});
const cvssBand = column.display({
  id: 'cvssScore',
  meta: { label: 'CVSS', sortable: true },
  cell: ({ row: { original } }) => <SeverityBadge score={original.cvssScore} />,
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

/** What reports gave (spec 2, Vulnerability data list). */
export const vulnerabilityDataColumns = [name, cve, cwe, cvssBand, sourceFile, createdAt];

/** All vulnerabilities (spec 2, Vulnerabilities table). */
export const vulnerabilitiesColumns = [name, severity, status, cve, cwe, cvss, sourceFile, createdAt];
