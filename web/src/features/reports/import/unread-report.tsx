import type { ReportFile } from '@riskboard/contract';
import { useQuery } from '@tanstack/react-query';
import { Ban, FileSearch, FileX } from 'lucide-react';
import { fileStateOf } from '../../../lib/jobs/file-states.ts';
import { EmptyState } from '../../../ui/feedback/empty-state.tsx';
import { ErrorState } from '../../../ui/feedback/error-state.tsx';
import { Skeleton } from '../../../ui/feedback/skeleton.tsx';
import { Card } from '../../../ui/layout/card.tsx';
import { fileJobsQuery, useFileQuery } from '../file-queries.ts';
import { FileHeader } from './file-header.tsx';

/** Why the import report is missing, and the next step. */
const reasons = {
  failed: {
    icon: <FileX aria-hidden size={20} />,
    title: 'This report could not be read',
    next: 'Nothing was extracted. Correct the file and upload it again with the same name to replace this one.',
  },
  cancelled: {
    icon: <Ban aria-hidden size={20} />,
    title: 'Reading was cancelled',
    next: 'Nothing was extracted. Retry the job on the Jobs page, or upload the file again.',
  },
  reading: {
    icon: <FileSearch aria-hidden size={20} />,
    title: 'This report is being read',
    next: 'The import report appears here when the file has been read.',
  },
} as const;

function reasonOf(file: ReportFile | undefined) {
  const state = file === undefined ? 'reading' : fileStateOf(file);
  return state === 'failed' || state === 'cancelled' ? reasons[state] : reasons.reading;
}

/** Shown instead of the import report while a file is not parsed, or could not be parsed. */
export function UnreadReport({ fileId }: { fileId: string }) {
  const jobs = useQuery(fileJobsQuery(fileId));
  const name = jobs.data?.jobs.find(({ fileName }) => fileName !== null)?.fileName ?? undefined;
  const files = useFileQuery(fileId, name);
  const file = files.data;
  const failed = [jobs, files].find((query) => query.isError && query.data === undefined);
  const isLoading = jobs.isPending || (name !== undefined && files.isPending);
  return (
    <>
      <FileHeader name={name ?? 'Import report'} file={file} />
      <Card>
        {failed === undefined ? (
          <Reason file={file} isLoading={isLoading} />
        ) : (
          <ErrorState
            title="Failed to load the state of the report"
            error={failed.error}
            busy={failed.isFetching}
            onRetry={() => void failed.refetch()}
          />
        )}
      </Card>
    </>
  );
}

function Reason({ file, isLoading }: { file: ReportFile | undefined; isLoading: boolean }) {
  if (isLoading)
    return (
      <div className="p-4">
        <Skeleton width="40%" />
      </div>
    );
  const { icon, title, next } = reasonOf(file);
  return (
    <EmptyState
      icon={icon}
      title={title}
      description={
        <>
          {file?.parseError != null && (
            <span className="mb-2 block font-medium text-danger">{file.parseError}</span>
          )}
          {next}
        </>
      }
    />
  );
}
