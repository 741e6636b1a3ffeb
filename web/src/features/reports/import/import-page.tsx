import type { ImportReport } from '@riskboard/contract';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { ApiError, isMissing } from '../../../lib/api/errors.ts';
import { LoadFailed } from '../../../ui/feedback/load-failed.tsx';
import { Skeleton } from '../../../ui/feedback/skeleton.tsx';
import { lazyPart } from '../../../ui/layout/lazy-part.tsx';
import type { HowChanged } from '../../../ui/list/list-control.ts';
import { DeletedPage } from '../../../ui/record/record-status.tsx';
import { useFile } from '../file-queries.ts';
import { importReportQuery } from '../import-query.ts';
import { FileHeader } from './file-header.tsx';
import { FileHistory } from './file-history.tsx';
import { ImportNumbers } from './import-numbers.tsx';
import type { ObjectsSearch } from './objects-source.ts';
import { TypesTable, WarningsCard } from './types-table.tsx';
import { UnreadReport } from './unread-report.tsx';

// The table starts below the numbers of the report, which show without it.
const ObjectsList = lazyPart(
  async () => (await import('./objects-list.tsx')).ObjectsList,
  <Skeleton width="100%" />,
);

const fileList = { to: '/dashboard/reports', label: 'All files' } as const;

interface ImportPageProps {
  fileId: string;
  search: ObjectsSearch;
  onSearch: (search: ObjectsSearch, how?: HowChanged) => void;
  /** What was done with the report. */
  activity: ReactNode;
}

/** The outcome of every object in a report: totals, by type, and a list of the objects that were not imported. */
export function ImportPage({ fileId, search, onSearch, activity }: ImportPageProps) {
  const query = useQuery(importReportQuery(fileId));
  const { data: report, error } = query;
  // The report that was shown before is of a version that was replaced since.
  if (isUnread(error)) {
    return (
      <div className="flex flex-col gap-4">
        <UnreadReport fileId={fileId} />
        <FileHistory fileId={fileId} />
        {activity}
      </div>
    );
  }
  if (report === undefined && error !== null) {
    return (
      <LoadFailed
        heading="Import report"
        title={isMissing(error) ? 'Report not found' : 'Failed to load the import report.'}
        missing="The address may be mistyped, or the report was deleted."
        query={query}
        list={fileList}
      />
    );
  }
  if (report === undefined) return <Skeleton width="40%" />;
  if (isMissing(error))
    return <DeletedPage entity={{ one: 'report' }} name={report.originalFilename} list={fileList} />;
  return (
    <>
      <ImportHeader report={report} />
      <div className="flex flex-col gap-4">
        <ImportNumbers report={report} />
        {report.byType.length > 0 && <TypesTable rows={report.byType} />}
        <WarningsCard warnings={report.warnings} />
        {/* Not a section: the table is a landmark of this name. */}
        <div className="flex flex-col gap-2">
          <h2 className="mt-2 text-lg font-semibold">Objects not in the lists</h2>
          <ObjectsList fileId={fileId} search={search} onSearch={onSearch} />
        </div>
        <FileHistory fileId={fileId} />
        {activity}
      </div>
    </>
  );
}

function ImportHeader({ report: { fileId, originalFilename } }: { report: ImportReport }) {
  return <FileHeader name={originalFilename} file={useFile(fileId, originalFilename)} />;
}

/** The report is not parsed yet, or could not be parsed (contract, Reports). */
const isUnread = (error: unknown): boolean => error instanceof ApiError && error.code === 'conflict';
