import type { ImportReport } from '@riskboard/contract';
import { useQuery } from '@tanstack/react-query';
import { lazy, Suspense } from 'react';
import { ApiError } from '../../../lib/api/errors.ts';
import { ErrorState } from '../../../ui/feedback/error-state.tsx';
import { Skeleton } from '../../../ui/feedback/skeleton.tsx';
import { Card } from '../../../ui/layout/card.tsx';
import type { HowChanged } from '../../../ui/list/list-control.ts';
import { importReportQuery, useFile } from '../queries.ts';
import { FileHeader } from './file-header.tsx';
import { FileHistory } from './file-history.tsx';
import { ImportNumbers } from './import-numbers.tsx';
import type { ObjectsSearch } from './objects-source.ts';
import { TypesTable, WarningsCard } from './types-table.tsx';
import { UnreadReport } from './unread-report.tsx';

// The table starts below the numbers of the report, which show without it.
const ObjectsList = lazy(async () => ({ default: (await import('./objects-list.tsx')).ObjectsList }));

interface ImportPageProps {
  fileId: string;
  search: ObjectsSearch;
  onSearch: (search: ObjectsSearch, how?: HowChanged) => void;
}

/** The outcome of every object in a report: totals, by type, and a list of the objects that were not imported. */
export function ImportPage({ fileId, search, onSearch }: ImportPageProps) {
  const { data: report, error, refetch } = useQuery(importReportQuery(fileId));
  if (report === undefined && error !== null) {
    return (
      <div className="flex flex-col gap-4">
        {isUnread(error) ? (
          <UnreadReport fileId={fileId} />
        ) : (
          <Card>
            <ErrorState
              title="Failed to load the import report."
              error={error}
              onRetry={() => void refetch()}
            />
          </Card>
        )}
        <FileHistory fileId={fileId} />
      </div>
    );
  }
  if (report === undefined) return <Skeleton width="40%" />;
  return (
    <>
      <ImportHeader report={report} />
      <div className="flex flex-col gap-4">
        <ImportNumbers report={report} />
        {report.byType.length > 0 && <TypesTable rows={report.byType} />}
        <WarningsCard warnings={report.warnings} />
        <section aria-labelledby="objects" className="flex flex-col gap-2">
          <h2 id="objects" className="mt-2 text-lg font-semibold">
            Objects not in the lists
          </h2>
          <Suspense fallback={<Skeleton width="100%" />}>
            <ObjectsList fileId={fileId} search={search} onSearch={onSearch} />
          </Suspense>
        </section>
        <FileHistory fileId={fileId} />
      </div>
    </>
  );
}

function ImportHeader({ report: { fileId, originalFilename } }: { report: ImportReport }) {
  return <FileHeader name={originalFilename} file={useFile(fileId, originalFilename)} />;
}

/** The report is not parsed yet, or could not be parsed (contract, Reports). */
const isUnread = (error: unknown): boolean => error instanceof ApiError && error.code === 'conflict';
