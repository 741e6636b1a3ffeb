import { threats, vulnerabilities, type RecordSource } from '@riskboard/contract';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { toast } from '../feedback/toast.ts';
import { call } from '../../lib/api/call.ts';
import { messageOf } from '../../lib/api/errors.ts';
import type { RecordNoun } from '../../lib/record-queries.ts';
import { fieldLabel } from '../../lib/record-words.ts';

/** A record with its fields by name, as its page has loaded it. */
export type AnyRecord = { readonly _id: string; readonly editedFields: readonly string[] } & object;

export const fieldOf = (record: AnyRecord, field: string): unknown =>
  (record as unknown as Record<string, unknown>)[field];

/**
 * Fields that a person changed and the report in use speaks of. What they filled in where reports are silent is no
 * change of what those say.
 */
export function changedFields(record: AnyRecord, [inUse]: readonly RecordSource[]): string[] {
  return record.editedFields.filter((field) => inUse !== undefined && field in inUse.fields);
}

type Calls<Asked> = Record<RecordNoun, (id: string, asked: Asked) => Promise<AnyRecord>>;

const reverts: Calls<string[] | undefined> = {
  vulnerabilities: (id, fields) =>
    call(vulnerabilities.revert, { params: { id }, body: fields === undefined ? {} : { fields } }),
  threats: (id, fields) =>
    call(threats.revert, { params: { id }, body: fields === undefined ? {} : { fields } }),
};

const updates: Calls<Record<string, unknown>> = {
  vulnerabilities: (id, body) => call(vulnerabilities.update, { params: { id }, body }),
  threats: (id, body) => call(threats.update, { params: { id }, body }),
};

/**
 * Takes fields that a person changed back to what the reports say; `mutate(undefined)` takes back all of them. What
 * was there before can be put back from the toast.
 */
export function useRevert(noun: RecordNoun, record: AnyRecord) {
  const queryClient = useQueryClient();
  const { _id: id } = record;

  /** The record as the server says it is now; lists and sources follow. */
  function show(detail: object): Promise<void> {
    queryClient.setQueryData([noun, 'detail', id], detail);
    return queryClient.invalidateQueries({ queryKey: [noun] });
  }

  async function putBack(before: Record<string, unknown>): Promise<void> {
    try {
      await show(await updates[noun](id, before));
      toast.success('Put back', 'The changed fields are as they were.');
    } catch (error) {
      toast.error('Not put back', messageOf(error, 'Please try again.'));
    }
  }

  return useMutation({
    mutationFn: (fields: string[] | undefined) => reverts[noun](id, fields),
    async onSuccess(detail) {
      const taken = record.editedFields.filter((field) => !detail.editedFields.includes(field));
      const before = Object.fromEntries(taken.map((field) => [field, fieldOf(record, field)]));
      const names = taken.map((field) => fieldLabel(noun, field)).join(', ');
      const told = toast.success('Taken back', `As the reports say: ${names}.`, {
        action: {
          label: 'Undo',
          onClick() {
            toast.close(told);
            void putBack(before);
          },
        },
      });
      await show(detail);
    },
    onError: (error) => toast.error('Not taken back', messageOf(error, 'Please try again.')),
  });
}
