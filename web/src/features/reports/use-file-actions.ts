import { reports, type ReportFile } from '@riskboard/contract';
import { useQueryClient } from '@tanstack/react-query';
import { addressOf, call } from '../../lib/api/call.ts';
import { messageOf } from '../../lib/api/errors.ts';
import { saveAs, saveFrom } from '../../lib/browser/save-as.ts';
import { formatCount } from '../../lib/format/format.ts';
import { stateLabels, outcomeOf } from '../../lib/jobs/job-labels.ts';
import { endOfJob } from '../../lib/jobs/wait-for-job.ts';
import { toast } from '../../ui/feedback/toast.ts';
import type { Selected } from '../../ui/list/use-selection.ts';
import { extract, extractedText, extractions, type Extraction } from './extraction.ts';

/** Actions on uploaded reports; each shows its outcome in a toast with the texts of spec 8. */
export function useFileActions() {
  const queryClient = useQueryClient();

  /** The records of a report also appear in these lists. */
  const refresh = () =>
    Promise.all(
      ['reports', 'vulnerabilities', 'threats', 'jobs'].map((noun) =>
        queryClient.invalidateQueries({ queryKey: [noun] }),
      ),
    );

  return {
    /** The content as pretty-printed JSON (spec 7). */
    async download(file: ReportFile): Promise<void> {
      try {
        const reply: unknown = await call(reports.file, { params: { id: file._id } });
        const content =
          typeof reply === 'object' && reply !== null && 'content' in reply ? reply.content : reply;
        const text = JSON.stringify(content, null, 2);
        saveAs(jsonName(file.originalFilename), new Blob([text], { type: 'application/json' }));
        toast.success('Download started');
      } catch (error) {
        toast.error('Download failed', messageOf(error, 'Failed to retrieve file'));
      }
    },

    /** The original bytes. */
    downloadOriginal(file: ReportFile): void {
      saveFrom(addressOf(reports.raw, { params: { id: file._id } }), file.originalFilename);
      toast.success('Download started');
    },

    async extract(file: ReportFile, extraction: Extraction): Promise<void> {
      const { done, fallback } = extractions[extraction];
      try {
        toast.success(done, extractedText(await extract(file._id, extraction), extraction));
      } catch (error) {
        toast.error('Extraction failed', messageOf(error, fallback));
      }
      await refresh();
    },

    /** @returns whether the file was deleted */
    async remove(file: ReportFile): Promise<boolean> {
      try {
        await call(reports.deleteFile, { params: { id: file._id } });
        toast.success('File deleted', 'The file has been successfully deleted.');
        return true;
      } catch (error) {
        toast.error('Delete failed', messageOf(error, 'Failed to delete file'));
        return false;
      } finally {
        void refresh();
      }
    },

    /**
     * Deletes the selected files. A large selection becomes a job, followed to its end (contract, `mostReportsAtOnce`).
     * @returns whether the files were deleted or the job was accepted
     */
    async removeMany(selection: Selected['selection']): Promise<boolean> {
      try {
        const reply = await call(reports.deleteFiles, { body: selection });
        if ('jobId' in reply) {
          toast.info('Deleting in the background', reply.message, { id: reply.jobId });
          void followDeletion(reply.jobId).then(refresh);
        } else toast.success(...filesDeleted(reply.deletedCount));
        return true;
      } catch (error) {
        toast.error('Delete failed', messageOf(error, 'Failed to delete files'));
        return false;
      } finally {
        await refresh();
      }
    },
  };
}

const filesDeleted = (count: number) =>
  ['Files deleted', `${formatCount(count)} files were removed.`] as const;

/** Shows the outcome of a deletion that became a job. */
async function followDeletion(id: string): Promise<void> {
  try {
    const job = await endOfJob(id);
    if (job.state === 'failed') toast.error('Delete failed', outcomeOf(job) ?? undefined, { id });
    else if (job.state === 'cancelled') toast.info('Files not deleted', stateLabels.cancelled, { id });
    else if (job.result !== null && 'changed' in job.result)
      toast.success(...filesDeleted(job.result.changed), { id });
  } catch {
    // The job no longer exists. The list shows which files are left.
    toast.close(id);
  }
}

/** The original name with a .json suffix (spec 7); a name that has one keeps it. */
const jsonName = (originalFilename: string): string =>
  /\.json$/iu.test(originalFilename) ? originalFilename : `${originalFilename}.json`;
