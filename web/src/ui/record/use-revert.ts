import { etagOf, type RecordSource } from '@riskboard/contract';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { notOverwrittenText } from '../../lib/api/errors.ts';
import type { ImportableEntity, ImportableRecord } from '../../lib/entity/entity.ts';
import { fieldLabel } from '../../lib/entity/field-text.ts';
import { callEntity } from '../../lib/entity/queries.ts';
import { toast } from '../feedback/toast.ts';

const fieldOf = (record: ImportableRecord, name: string): unknown =>
  (record as unknown as Record<string, unknown>)[name];

/**
 * Fields that a user changed and for which the report in use has a value. Other fields that a user filled in have no
 * value to revert to.
 */
export function changedFields(record: ImportableRecord, [inUse]: readonly RecordSource[]): string[] {
  return record.editedFields.filter((name) => inUse !== undefined && name in inUse.fields);
}

/**
 * Reverts fields that a user changed to what the reports say; `mutate(undefined)` reverts all of them. The toast
 * offers Undo.
 */
export function useRevert({ noun, calls, fields }: ImportableEntity, record: ImportableRecord) {
  const queryClient = useQueryClient();
  const { _id: id } = record;

  /** Shows the record as the server returned it; lists and sources are refetched. */
  function show(detail: ImportableRecord): Promise<void> {
    queryClient.setQueryData([noun, 'detail', id], detail);
    return queryClient.invalidateQueries({ queryKey: [noun] });
  }

  /** Refuses to change a version that the user has not seen. */
  const ifMatch = (version: number) => ({ 'if-match': etagOf(version) });

  /** Restores the values from before, unless another user has changed the record since. */
  async function undo(body: Record<string, unknown>, { version }: ImportableRecord): Promise<void> {
    try {
      const input = { params: { id }, body, headers: ifMatch(version) };
      await show(await callEntity<ImportableRecord>(calls.update, input));
      toast.success('Changes restored', 'The fields have your values again.');
    } catch (error) {
      toast.error('Changes not restored', notOverwrittenText(error));
      void queryClient.invalidateQueries({ queryKey: [noun] });
    }
  }

  return useMutation({
    mutationFn: (names: string[] | undefined) =>
      callEntity<ImportableRecord>(calls.revert, {
        params: { id },
        body: names === undefined ? {} : { fields: names },
        headers: ifMatch(record.version),
      }),
    // The event of the change may refetch the record before the reply arrives.
    onMutate: () => record,
    async onSuccess(detail, _names, shown) {
      const reverted = shown.editedFields.filter((name) => !detail.editedFields.includes(name));
      const before = Object.fromEntries(reverted.map((name) => [name, fieldOf(shown, name)]));
      const labels = reverted.map((name) => fieldLabel(fields, name)).join(', ');
      toast.success('Reverted', `Reset to the values of the reports: ${labels}.`, {
        action: { label: 'Undo', onClick: () => void undo(before, detail) },
      });
      await show(detail);
    },
    onError(error) {
      toast.error('Not reverted', notOverwrittenText(error));
      void queryClient.invalidateQueries({ queryKey: [noun] });
    },
  });
}
