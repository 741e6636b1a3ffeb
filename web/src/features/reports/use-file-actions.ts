import { reports, type ReportFile } from '@riskboard/contract';
import { useQueryClient } from '@tanstack/react-query';
import { addressOf, call } from '../../lib/call.ts';
import { formatCount } from '../../lib/format.ts';
import { messageOf } from '../../lib/message-of.ts';
import { saveAs, saveFrom } from '../../lib/save-as.ts';
import { toast } from '../../ui/toast.ts';
import { jsonName } from './json-name.ts';
import { extract } from './extract.ts';
import { extractedWords, extractions, type Extraction } from './extraction.ts';

/** Bulk calls take at most this many ids (contract, `Ids`). */
const idsAtOnce = 1000;

/** What can be done with uploaded reports; each tells its end in a toast, in the spec's words (spec 8). */
export function useFileActions() {
  const queryClient = useQueryClient();

  /** What a report asserts shows in three lists. */
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
        toast.success(done, extractedWords(await extract(file._id, extraction)));
      } catch (error) {
        toast.error('Extraction failed', messageOf(error, fallback));
      }
      await refresh();
    },

    /** @returns whether it is gone */
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

    /** @returns whether all of them are gone */
    async removeMany(ids: readonly string[]): Promise<boolean> {
      let removed = 0;
      try {
        for (let from = 0; from < ids.length; from += idsAtOnce) {
          const body = { ids: ids.slice(from, from + idsAtOnce) };
          removed += (await call(reports.deleteFiles, { body })).deletedCount;
        }
        toast.success('Files deleted', `${formatCount(removed)} files were removed.`);
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
