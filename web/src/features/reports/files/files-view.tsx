import { listVersions, formatCount } from '@riskboard/domain';
import type { ReportFile } from '@riskboard/contract';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import { defineListView } from '../../../ui/list/define-list-view.ts';
import { Empty } from '../../../ui/text/empty.tsx';
import { FileNameText, FileSize } from '../../../ui/text/file.tsx';
import { Time } from '../../../ui/text/time.tsx';
import { fileSentence } from '../../../lib/jobs/file-states.ts';
import { FileMenu } from '../file-menu.tsx';
import { FileState } from '../file-state.tsx';
import { filesSource } from './files-source.ts';
import { countQuery, type Counted } from '../queries.ts';

function FileName({ file }: { file: ReportFile }) {
  const sentence = fileSentence(file);
  return (
    <div className="flex min-w-0 flex-col whitespace-normal">
      <Link
        to="/dashboard/reports/$fileId"
        params={{ fileId: file._id }}
        className="line-clamp-3 font-medium wrap-anywhere hover:text-accent-text hover:underline"
        title={file.originalFilename}
      >
        <FileNameText name={file.originalFilename} />
      </Link>
      {sentence !== null && (
        <span
          className={`line-clamp-2 text-xs tabular-nums ${file.parseState === 'failed' ? 'text-danger' : 'text-muted'}`}
        >
          {sentence}
        </span>
      )}
    </div>
  );
}

/** Labels of the parse states. */
const parseStateLabels = {
  queued: 'Waiting',
  running: 'Reading',
  succeeded: 'Read',
  failed: 'Failed',
  cancelled: 'Cancelled',
} as const satisfies Record<ReportFile['parseState'], string>;

const isParseState = (value: string): value is ReportFile['parseState'] =>
  Object.hasOwn(parseStateLabels, value);

/** 'All Uploaded Files' (spec 2, STIX files list). */
export const filesView = defineListView(filesSource, {
  label: 'All Uploaded Files',
  nouns: { one: 'file', many: 'files' },
  row: { id: (file) => file._id, name: (file) => file.originalFilename },
  columns: [
    { field: 'originalFilename', rowHeader: true, cell: (file) => <FileName file={file} /> },
    {
      field: 'stixVersion',
      width: 96,
      narrowWidth: 92,
      from: 'sm',
      cell: ({ stixVersion }) =>
        stixVersion === null ? <span className="text-muted">N/A</span> : listVersions(stixVersion),
    },
    { field: 'parseState', width: 172, narrowWidth: 124, cell: (file) => <FileState file={file} /> },
    {
      field: 'vulnerabilityCount',
      from: 'md',
      cell: (file) => (
        <CountCell
          fileId={file._id}
          counted="vulnerabilities"
          listed={file.vulnerabilityCount}
          found={file.vulnerabilityRecords}
        />
      ),
    },
    {
      field: 'threatCount',
      from: 'md',
      cell: (file) => (
        <CountCell fileId={file._id} counted="threats" listed={file.threatCount} found={file.threatRecords} />
      ),
    },
    {
      field: 'size',
      from: 'md',
      width: 112,
      narrowWidth: 96,
      cell: (file) => <FileSize bytes={file.size} />,
    },
    {
      field: 'uploadDate',
      from: 'md',
      width: 192,
      cell: (file) => <Time value={file.uploadDate} form="absolute" />,
    },
    {
      id: 'actions',
      label: 'Actions',
      hideLabel: true,
      last: true,
      cell: (file) => <FileMenu file={file} />,
    },
  ],
  labels: {
    stixVersion: listVersions,
    parseState: (value) => (isParseState(value) ? parseStateLabels[value] : undefined),
  },
  texts: { search: 'Search files', empty: 'No files found.', failure: 'Failed to load files.' },
});

interface CountCellProps {
  fileId: string;
  counted: Counted;
  /** Count in the list. */
  listed: number;
  /** Records that the parse found; null until it has finished. */
  found: number | null;
}

/** Extracted records of those found, fetched when the row becomes visible (spec 7: counts are fetched lazily per file). */
function CountCell({ fileId, counted, listed, found }: CountCellProps) {
  // A state, not a ref: the element is created when the file has been read, long after the first effect.
  const [cell, setCell] = useState<HTMLSpanElement | null>(null);
  const visible = useVisible(cell);
  const read = found !== null;
  const { data, isError } = useQuery({
    ...countQuery({ fileId, counted, listed }),
    enabled: visible && (read || listed > 0),
  });
  // The number of records in an unread or unreadable report is unknown, not 0.
  if (!read && listed === 0) return <Empty />;
  return (
    <span ref={setCell} className="whitespace-nowrap tabular-nums">
      {data === undefined ? (
        <span className="text-muted">{isError ? 'N/A' : '…'}</span>
      ) : (
        <>
          {formatCount(data)}{' '}
          {found !== null && found > data && <span className="text-muted">of {formatCount(found)}</span>}
        </>
      )}
    </span>
  );
}

/** True once an element has been visible; always true without `IntersectionObserver`. */
function useVisible(element: Element | null): boolean {
  const [seen, setSeen] = useState(typeof IntersectionObserver === 'undefined');
  useEffect(() => {
    if (seen || element === null) return undefined;
    const observer = new IntersectionObserver((entries) => {
      if (entries.some((entry) => entry.isIntersecting)) setSeen(true);
    });
    observer.observe(element);
    return () => observer.disconnect();
  }, [seen, element]);
  return seen;
}
