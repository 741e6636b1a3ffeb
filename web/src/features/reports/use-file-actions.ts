import { reports, type ReportFile } from '@riskboard/contract';
import { useQueryClient } from '@tanstack/react-query';
import { addressOf, call, callForText } from '../../lib/api/call.ts';
import { messageOf } from '../../lib/api/errors.ts';
import { downloadFrom, saveAs } from '../../lib/browser/save-as.ts';
import { markDeleted } from '../../lib/entity/deleted-records.ts';
import { requestRowFocus } from '../../lib/entity/request-row-focus.ts';
import { cancelRowFocus } from '../../lib/entity/row-focus.ts';
import { toast } from '../../ui/feedback/toast.ts';
import type { Selected } from '../../ui/list/use-selection.ts';
import { extractionFailure, extractions, type Extraction } from './extraction.ts';

// Loaded with the first action, because every list of files would load them.
const jobToasts = () => import('./job-toasts.ts');
const indentedJson = () => import('../../lib/format/indented-json.ts');

/** Actions on uploaded reports; each shows its outcome in a toast with the texts of spec 8. */
export function useFileActions() {
  const queryClient = useQueryClient();

  const refresh = async () => (await jobToasts()).refreshReports(queryClient);

  async function showDeletion({ jobId, message }: { jobId: string; message: string }): Promise<void> {
    const { followDeletion } = await jobToasts();
    toast.info('Deleting in the background', message, { id: jobId });
    followDeletion(queryClient, jobId);
  }

  return {
    /** The content as pretty-printed JSON (spec 7), with the numbers of the report. */
    async download(file: ReportFile): Promise<void> {
      const failure = `download ${file._id}`;
      toast.close(failure);
      try {
        const reply = await callForText(reports.file, { params: { id: file._id } });
        const { indentedMember } = await indentedJson();
        const content = new Blob(indentedMember(reply, 'content'), { type: 'application/json' });
        saveAs(jsonName(file.originalFilename), content);
        toast.success('Download started');
      } catch (error) {
        toast.error('Download failed', messageOf(error, 'Failed to retrieve file'), { id: failure });
      }
    },

    /** The original bytes. */
    downloadOriginal: (file: ReportFile): Promise<void> =>
      downloadFrom(addressOf(reports.raw, { params: { id: file._id } }), file.originalFilename),

    async extract(file: ReportFile, extraction: Extraction): Promise<void> {
      toast.close(extractionFailure(extraction, file._id));
      try {
        const reply = await call(extractions[extraction].endpoint, { body: { id: file._id } });
        const { followExtraction, showExtracted } = await jobToasts();
        if ('result' in reply) showExtracted(extraction, reply.result);
        else followExtraction(queryClient, reply.jobId, extraction);
      } catch (error) {
        (await jobToasts()).showExtractionFailed(extraction, error, file._id);
      }
      await refresh();
    },

    /** A large file becomes a job, followed to its end. @returns whether the file was deleted or the job was accepted */
    async remove(file: ReportFile): Promise<boolean> {
      const failure = `delete ${file._id}`;
      toast.close(failure);
      requestRowFocus(queryClient, 'reports', { ids: [file._id] });
      try {
        const reply = await call(reports.deleteFile, { params: { id: file._id } });
        if ('jobId' in reply) await showDeletion(reply);
        else {
          markDeleted(file._id);
          toast.success('File deleted', 'The file has been successfully deleted.');
        }
        return true;
      } catch (error) {
        cancelRowFocus();
        toast.error('Delete failed', messageOf(error, 'Failed to delete file'), { id: failure });
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
      const failure = 'delete reports';
      toast.close(failure);
      requestRowFocus(queryClient, 'reports', selection);
      try {
        const reply = await call(reports.deleteFiles, { body: selection });
        if ('jobId' in reply) await showDeletion(reply);
        else toast.success(...(await jobToasts()).filesDeleted(reply.deletedCount));
        return true;
      } catch (error) {
        cancelRowFocus();
        toast.error('Delete failed', messageOf(error, 'Failed to delete files'), { id: failure });
        return false;
      } finally {
        await refresh();
      }
    },
  };
}

/** The original name with a .json suffix (spec 7); a name that has one keeps it. */
const jsonName = (originalFilename: string): string =>
  /\.json$/iu.test(originalFilename) ? originalFilename : `${originalFilename}.json`;
