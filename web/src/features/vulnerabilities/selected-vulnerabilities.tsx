import { vulnerabilities } from '@riskboard/contract';
import { useDeleteManyVulnerabilities } from '../../lib/record-mutations.ts';
import { useRefusal } from '../../lib/write-refusal.ts';
import { DeleteSelected } from '../../ui/record/delete-selected.tsx';
import type { Selected } from '../../ui/list/use-selection.ts';
import { BulkEditVulnerabilities } from './bulk-edit-vulnerabilities.tsx';

/** What can be done with selected vulnerabilities. */
export function SelectedVulnerabilities({ selected }: { selected: Selected }) {
  const { mutateAsync } = useDeleteManyVulnerabilities();
  return (
    <>
      <BulkEditVulnerabilities selected={selected} />
      <DeleteSelected
        selected={selected}
        one="vulnerability"
        many="vulnerabilities"
        refusal={useRefusal(vulnerabilities.deleteMany.access)}
        onDelete={(selection) => mutateAsync(selection)}
      />
    </>
  );
}
