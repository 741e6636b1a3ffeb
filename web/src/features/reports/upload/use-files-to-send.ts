import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { receivedFiles } from './transfer/batch-calls.ts';
import { lastOfNames } from './transfer/name-clashes.ts';
import { isReceived, type Upload } from './transfer/upload.ts';

/**
 * Those of the chosen files that an upload sends: of several files of one name the last, and of a batch that is continued
 * the files that it has not received.
 * @param batchId the batch that is continued
 */
export function useFilesToSend(chosen: readonly Upload[], batchId: string | undefined): readonly Upload[] {
  const { data: received } = useQuery({
    queryKey: ['upload-preview', 'received', batchId],
    queryFn: () => receivedFiles(batchId ?? ''),
    enabled: batchId !== undefined,
    // No event marks it stale.
    staleTime: 0,
  });
  return useMemo(
    () => lastOfNames(chosen).filter((upload) => !isReceived(upload, received)),
    [chosen, received],
  );
}
