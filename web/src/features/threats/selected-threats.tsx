import { threats } from '@riskboard/contract';
import { useDeleteManyThreats } from '../../lib/record-mutations.ts';
import { useRefusal } from '../../lib/write-refusal.ts';
import { DeleteSelected } from '../../ui/record/delete-selected.tsx';
import type { Selected } from '../../ui/list/use-selection.ts';
import { BulkEditThreats } from './bulk-edit-threats.tsx';

/** What can be done with selected threats. */
export function SelectedThreats({ selected }: { selected: Selected }) {
  const { mutateAsync } = useDeleteManyThreats();
  return (
    <>
      <BulkEditThreats selected={selected} />
      <DeleteSelected
        selected={selected}
        one="threat"
        many="threats"
        refusal={useRefusal(threats.deleteMany.access)}
        onDelete={(selection) => mutateAsync(selection)}
      />
    </>
  );
}
