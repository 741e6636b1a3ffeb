import type { ReportFile } from '@riskboard/contract';
import { Link } from '@tanstack/react-router';
import { FileSize } from '../../ui/file-size.tsx';
import { listColumns } from '../../ui/list-columns.ts';
import { Time } from '../../ui/time.tsx';
import { CountCell } from './count-cell.tsx';
import { FileMenu } from './file-menu.tsx';
import { FileState } from './file-state.tsx';

const column = listColumns<ReportFile>();

/** Columns of 'All Uploaded Files'; those that sort bear the contract's names. */
export const filesColumns = [
  column.display({
    id: 'originalFilename',
    meta: { label: 'Name', sortable: true, rowHeader: true },
    cell: ({ row: { original: file } }) => (
      <div className="flex max-w-[56ch] min-w-24 flex-col sm:min-w-36">
        <Link
          to="/dashboard/reports/$fileId"
          params={{ fileId: file._id }}
          className="line-clamp-2 font-medium break-all hover:text-accent-text hover:underline"
          title={file.originalFilename}
        >
          {file.originalFilename}
        </Link>
        {file.parseState === 'failed' && file.parseError !== null && (
          <span className="line-clamp-2 text-xs text-danger">{file.parseError}</span>
        )}
      </div>
    ),
  }),
  column.display({
    id: 'stixVersion',
    meta: { label: 'STIX', sortable: true, from: 'sm' },
    cell: ({ row: { original: file } }) => file.stixVersion ?? <span className="text-muted">N/A</span>,
  }),
  column.display({
    id: 'state',
    meta: { label: 'State' },
    cell: ({ row: { original: file } }) => <FileState file={file} />,
  }),
  column.display({
    id: 'vulnerabilityCount',
    meta: { label: 'Vulnerabilities', sortable: true, align: 'right', from: 'md' },
    cell: ({ row: { original: file } }) => (
      <CountCell
        fileId={file._id}
        counted="vulnerabilities"
        listed={file.vulnerabilityCount}
        found={file.vulnerabilityRecords}
      />
    ),
  }),
  column.display({
    id: 'threatCount',
    meta: { label: 'Threats', sortable: true, align: 'right', from: 'md' },
    cell: ({ row: { original: file } }) => (
      <CountCell fileId={file._id} counted="threats" listed={file.threatCount} found={file.threatRecords} />
    ),
  }),
  column.display({
    id: 'size',
    meta: { label: 'Size', sortable: true, align: 'right', from: 'lg' },
    cell: ({ row: { original: file } }) => <FileSize bytes={file.size} />,
  }),
  column.display({
    id: 'uploadDate',
    meta: { label: 'Uploaded', sortable: true, from: 'lg' },
    cell: ({ row: { original: file } }) => <Time value={file.uploadDate} form="absolute" />,
  }),
  column.display({
    id: 'actions',
    meta: { label: 'Actions', hideLabel: true, align: 'right' },
    cell: ({ row: { original: file } }) => <FileMenu file={file} />,
  }),
];
