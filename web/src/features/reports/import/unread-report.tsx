import type { ReportFile } from '@riskboard/contract';
import { useQuery } from '@tanstack/react-query';
import { Ban, FileSearch, FileX } from 'lucide-react';
import { fileStateOf } from '../../../lib/jobs/file-states.ts';
import { EmptyState } from '../../../ui/feedback/empty-state.tsx';
import { Card } from '../../../ui/layout/card.tsx';
import { fileJobsQuery, useFile } from '../queries.ts';
import { FileHeader } from './file-header.tsx';

/** Why there is no import report, and what leads to one. */
const reasons = {
  failed: {
    icon: <FileX aria-hidden size={20} />,
    title: 'This report could not be read',
    next: 'Nothing was taken from it. Correct the file and upload it again under the same name: it takes the place of this one.',
  },
  cancelled: {
    icon: <Ban aria-hidden size={20} />,
    title: 'Reading was cancelled',
    next: 'Nothing was taken from it. Start the reading again on the Jobs page, or upload the file again.',
  },
  reading: {
    icon: <FileSearch aria-hidden size={20} />,
    title: 'This report is being read',
    next: 'What became of every object is shown here as soon as it is through.',
  },
} as const;

function reasonOf(file: ReportFile | undefined) {
  const state = file === undefined ? 'reading' : fileStateOf(file);
  return state === 'failed' || state === 'cancelled' ? reasons[state] : reasons.reading;
}

/** Stands for the import report of a file that has not been read, or cannot be. */
export function UnreadReport({ fileId }: { fileId: string }) {
  const { data } = useQuery(fileJobsQuery(fileId));
  const name = data?.jobs.find(({ fileName }) => fileName !== null)?.fileName ?? undefined;
  const file = useFile(fileId, name);
  const { icon, title, next } = reasonOf(file);
  return (
    <>
      <FileHeader name={name ?? 'Import report'} file={file} />
      <Card>
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
      </Card>
    </>
  );
}
