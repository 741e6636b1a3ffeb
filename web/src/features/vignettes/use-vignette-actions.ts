import { vignettes, type VignetteSummary } from '@riskboard/contract';
import { plural } from '@riskboard/domain';
import { useQueryClient } from '@tanstack/react-query';
import { call } from '../../lib/api/call.ts';
import { messageOf } from '../../lib/api/errors.ts';
import { recordFileName, saveAs } from '../../lib/browser/save-as.ts';
import { isOfDeletedRecord, markDeleted } from '../../lib/entity/deleted-records.ts';
import { requestRowFocus } from '../../lib/entity/request-row-focus.ts';
import { cancelRowFocus } from '../../lib/entity/row-focus.ts';
import { quoted } from '../../lib/format/name-text.ts';
import { toast } from '../../ui/feedback/toast.ts';

/** What the actions need to know of a vignette. */
export type NamedVignette = Pick<VignetteSummary, '_id' | 'name' | 'version' | 'vulnerabilities'>;

/** What becomes of the scores that apply a vignette; empty without such scores. */
export const staleText = (vulnerabilities: number): string =>
  vulnerabilities === 0
    ? ''
    : `${plural(vulnerabilities, 'score')} ${vulnerabilities === 1 ? 'becomes' : 'become'} stale.`;

/** Actions on vignettes; each shows its outcome in a toast. */
export function useVignetteActions() {
  const queryClient = useQueryClient();

  /** Vulnerabilities name their vignette and whether their score is stale. */
  async function refresh(): Promise<void> {
    await Promise.all(
      ['vignettes', 'vulnerabilities', 'activity'].map((noun) =>
        // The page of a deleted vignette is still open: its refetch would fail with 404.
        queryClient.invalidateQueries({
          queryKey: [noun],
          predicate: ({ queryKey }) => !isOfDeletedRecord(queryKey),
        }),
      ),
    );
  }

  return {
    refresh,

    /** The newest version as a JSON file that can be uploaded again. */
    async download({ _id: id, name }: NamedVignette): Promise<void> {
      const failure = `download ${id}`;
      toast.close(failure);
      try {
        const content: unknown = await call(vignettes.download, { params: { id } });
        const text = JSON.stringify(content, null, 2);
        saveAs(recordFileName(name), new Blob([text], { type: 'application/json' }));
        toast.success('Download started');
      } catch (error) {
        toast.error('Download failed', messageOf(error, 'Failed to download vignette'), { id: failure });
      }
    },

    /** @returns whether the vignette was deleted */
    async remove({ _id: id, name, vulnerabilities }: NamedVignette): Promise<boolean> {
      const failure = `delete ${id}`;
      toast.close(failure);
      requestRowFocus(queryClient, 'vignettes', { ids: [id] });
      try {
        await call(vignettes.delete, { params: { id } });
        markDeleted(id);
        toast.success(
          'Vignette deleted',
          `${quoted(name)} was deleted. ${staleText(vulnerabilities)}`.trim(),
        );
        void refresh();
        return true;
      } catch (error) {
        cancelRowFocus();
        toast.error('Delete failed', messageOf(error, 'Failed to delete vignette'), { id: failure });
        void refresh();
        return false;
      }
    },

    /** Adds those of the starter vignettes that are missing. */
    async addStarters(): Promise<void> {
      const failure = 'add starters';
      toast.close(failure);
      try {
        const { created } = await call(vignettes.addStarters);
        if (created === 0) toast.info('Nothing to add', 'Every starter vignette exists already.');
        else toast.success('Starter vignettes added', `${plural(created, 'vignette')} added.`);
      } catch (error) {
        toast.error('Failed to add starter vignettes', messageOf(error, 'Please try again.'), {
          id: failure,
        });
      }
      await refresh();
    },
  };
}
