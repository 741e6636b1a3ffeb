import type { BatchFile } from '@riskboard/contract';
import { batchFileLabel, batchFileSentence, formatCount } from '@riskboard/domain';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { FileStack } from 'lucide-react';
import { formatSize } from '../../lib/format/format.ts';
import { Badge } from '../../ui/badge/badge.tsx';
import { defineListView } from '../../ui/list/define-list-view.ts';
import type { HowChanged } from '../../ui/list/list-control.ts';
import { ListPage } from '../../ui/list/list-page.tsx';
import { FileNameText } from '../../ui/text/file.tsx';
import { Time } from '../../ui/text/time.tsx';
import { hiddenFrom } from '../../ui/table/table-style.ts';
import { batchFilesSource, type BatchFilesSearch } from './batch-files-source.ts';
import { fileStateLooks } from './batch-labels.ts';
import { FileTimeline } from './file-timeline.tsx';

interface BatchFilesProps {
  batchId: string;
  search: BatchFilesSearch;
  onSearch: (search: BatchFilesSearch, how?: HowChanged) => void;
}

/** The files of a batch, each with its result, time axis and attempts. */
export function BatchFiles({ batchId, search, onSearch }: BatchFilesProps) {
  const params = { id: batchId };
  const query = useQuery(batchFilesSource.query(search, params));
  return (
    <ListPage
      view={batchFilesView}
      query={query}
      params={params}
      search={search}
      onSearch={onSearch}
      empty={{ icon: <FileStack aria-hidden size={20} />, description: 'No file was received yet.' }}
    />
  );
}

function FileName({ file: { fileId, name, report } }: { file: BatchFile }) {
  if (fileId === null || report === 'deleted') {
    return (
      <span className="line-clamp-2 wrap-anywhere">
        <FileNameText name={name} />
      </span>
    );
  }
  return (
    <Link
      to="/dashboard/reports/$fileId"
      params={{ fileId }}
      className="line-clamp-2 font-medium wrap-anywhere hover:text-accent-text hover:underline"
    >
      <FileNameText name={name} />
    </Link>
  );
}

function FileResult({ file }: { file: BatchFile }) {
  const failed = file.state === 'failed';
  const sentence = batchFileSentence(file);
  return (
    <span
      title={failed ? sentence : undefined}
      className={`text-sm whitespace-normal tabular-nums ${failed ? 'line-clamp-6 text-danger' : 'line-clamp-3 text-muted'}`}
    >
      {sentence}
    </span>
  );
}

const FileState = ({ file }: { file: BatchFile }) => (
  <Badge tone={fileStateLooks[file.state].tone}>{batchFileLabel(file)}</Badge>
);

const isState = (value: string): value is BatchFile['state'] => Object.hasOwn(fileStateLooks, value);

const reportLabels: Readonly<Record<string, string>> = {
  current: 'Current',
  replaced: 'Replaced since',
  deleted: 'Deleted since',
  refused: 'Not accepted',
};

const count = (value: number) => <span className="tabular-nums">{formatCount(value)}</span>;

const batchFilesView = defineListView(batchFilesSource, {
  label: 'Files of the batch',
  nouns: { one: 'file', many: 'files' },
  row: { id: (file) => file._id, name: (file) => file.name },
  columns: [
    {
      field: 'name',
      rowHeader: true,
      cell: (file) => (
        <div title={file.name} className="flex min-w-0 flex-col gap-1 whitespace-normal">
          <FileName file={file} />
          {/* Narrow tables have no columns of states and results. */}
          <span className={`flex flex-col items-start gap-1 ${hiddenFrom.sm}`}>
            <FileState file={file} />
            <FileResult file={file} />
          </span>
        </div>
      ),
    },
    {
      field: 'state',
      from: 'sm',
      width: 208,
      cell: (file) => <FileState file={file} />,
    },
    {
      id: 'outcome',
      label: 'What happened',
      from: 'sm',
      grow: true,
      width: 304,
      alsoShows: ['issues', 'message', 'objects', 'created', 'updated', 'unchanged', 'skipped', 'report'],
      cell: (file) => <FileResult file={file} />,
    },
    {
      id: 'axis',
      label: 'Queued, read, extracted',
      from: 'md',
      width: 224,
      alsoShows: ['receivedAt', 'startedAt', 'endedAt'],
      cell: (file) => <FileTimeline file={file} />,
    },
    { field: 'size', label: 'Size', from: 'md', width: 112, cell: ({ size }) => formatSize(size) },
    { field: 'issues', hidden: true, cell: ({ issues }) => count(issues) },
    { field: 'objects', hidden: true, cell: ({ objects }) => count(objects) },
    { field: 'created', hidden: true, cell: ({ created }) => count(created) },
    { field: 'updated', hidden: true, cell: ({ updated }) => count(updated) },
    { field: 'skipped', hidden: true, cell: ({ skipped }) => count(skipped) },
    { field: 'report', hidden: true, cell: ({ report }) => reportLabels[report] },
    { field: 'endedAt', hidden: true, cell: ({ endedAt }) => <Time value={endedAt} /> },
  ],
  filters: ['state', 'issues', 'report', 'size', 'created', 'updated', 'endedAt'],
  labels: {
    state: (value) => (isState(value) ? fileStateLooks[value].label : undefined),
    report: (value) => reportLabels[value],
  },
  saved: false,
  texts: {
    search: 'Search files',
    empty: 'No files found.',
    failure: 'Failed to load the files of the batch.',
  },
});
