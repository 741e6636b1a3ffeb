import { vulnerabilities, type Related } from '@riskboard/contract';
import { vulnerabilityCategories, vulnerabilityStatuses, type VulnerabilityStatus } from '@riskboard/domain';
import { useBulkUpdateVulnerabilities } from '../../lib/record-mutations.ts';
import { statusWords } from '../../lib/record-words.ts';
import { useRefusal } from '../../lib/write-refusal.ts';
import { EditSelected, type BulkSpec } from '../../ui/form/edit-selected.tsx';
import { itemsOf } from '../../ui/form/items.ts';
import type { Selected } from '../../ui/list/use-selection.ts';

/** Takes the category away; nothing chosen leaves it. */
const none = 'none';

interface Values {
  status: string;
  categoryId: string;
  addAssets: readonly Related[];
  removeAssets: readonly Related[];
}

interface Change {
  status?: VulnerabilityStatus;
  categoryId?: number | '';
  addAssets?: string[];
  removeAssets?: string[];
}

const ids = (assets: readonly Related[]): string[] => assets.map(({ _id }) => _id);

const spec: BulkSpec<Values, Change> = {
  labels: {
    status: 'Status',
    categoryId: 'Category',
    addAssets: 'Add related assets',
    removeAssets: 'Remove related assets',
  },
  blank: { status: '', categoryId: '', addAssets: [], removeAssets: [] },
  changeOf: ({ status, categoryId, addAssets, removeAssets }) => ({
    ...(status !== '' && { status: status as VulnerabilityStatus }),
    ...(categoryId !== '' && { categoryId: categoryId === none ? ('' as const) : Number(categoryId) }),
    ...(addAssets.length > 0 && { addAssets: ids(addAssets) }),
    ...(removeAssets.length > 0 && { removeAssets: ids(removeAssets) }),
  }),
};

const statuses = vulnerabilityStatuses.map((value) => ({ value, label: statusWords[value] }));
const categories = [...itemsOf(vulnerabilityCategories), { value: none, label: 'Not set' }];

/** Sets status, category or related assets of selected vulnerabilities. */
export function BulkEditVulnerabilities({ selected }: { selected: Selected }) {
  const { mutateAsync } = useBulkUpdateVulnerabilities();
  return (
    <EditSelected
      selected={selected}
      one="vulnerability"
      many="vulnerabilities"
      refusal={useRefusal(vulnerabilities.updateMany.access)}
      spec={spec}
      onApply={(selection, change) => mutateAsync({ selection, change })}
    >
      {(form) => (
        <>
          <form.AppField name="status">
            {(field) => <field.SelectField items={statuses} blank="No change" />}
          </form.AppField>
          <form.AppField name="categoryId">
            {(field) => <field.SelectField items={categories} blank="No change" />}
          </form.AppField>
          <form.AppField name="addAssets">{(field) => <field.AssetsField />}</form.AppField>
          <form.AppField name="removeAssets">{(field) => <field.AssetsField />}</form.AppField>
        </>
      )}
    </EditSelected>
  );
}
