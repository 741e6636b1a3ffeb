import { threats, type Related } from '@riskboard/contract';
import { threatTypes } from '@riskboard/domain';
import { useBulkUpdateThreats } from '../../lib/record-mutations.ts';
import { useRefusal } from '../../lib/write-refusal.ts';
import { EditSelected, type BulkSpec } from '../../ui/form/edit-selected.tsx';
import { itemsOf } from '../../ui/form/items.ts';
import type { Selected } from '../../ui/list/use-selection.ts';

/** Takes the type away; nothing chosen leaves it. */
const none = 'none';

interface Values {
  isActive: string;
  threatTypeId: string;
  threatCategory: string;
  addAssets: readonly Related[];
  removeAssets: readonly Related[];
}

interface Change {
  isActive?: boolean;
  threatTypeId?: number | '';
  threatCategory?: string;
  addAssets?: string[];
  removeAssets?: string[];
}

const ids = (assets: readonly Related[]): string[] => assets.map(({ _id }) => _id);

const spec: BulkSpec<Values, Change> = {
  labels: {
    isActive: 'Activity',
    threatTypeId: 'Type',
    threatCategory: 'Category',
    addAssets: 'Add related assets',
    removeAssets: 'Remove related assets',
  },
  blank: { isActive: '', threatTypeId: '', threatCategory: '', addAssets: [], removeAssets: [] },
  changeOf: ({ isActive, threatTypeId, threatCategory, addAssets, removeAssets }) => ({
    ...(isActive !== '' && { isActive: isActive === 'true' }),
    ...(threatTypeId !== '' && {
      threatTypeId: threatTypeId === none ? ('' as const) : Number(threatTypeId),
    }),
    ...(threatCategory.trim() !== '' && { threatCategory: threatCategory.trim() }),
    ...(addAssets.length > 0 && { addAssets: ids(addAssets) }),
    ...(removeAssets.length > 0 && { removeAssets: ids(removeAssets) }),
  }),
};

const activities = [
  { value: 'true', label: 'Active' },
  { value: 'false', label: 'Inactive' },
] as const;
const types = [...itemsOf(threatTypes), { value: none, label: 'Not set' }];

/** Sets activity, type, category or related assets of selected threats. */
export function BulkEditThreats({ selected }: { selected: Selected }) {
  const { mutateAsync } = useBulkUpdateThreats();
  return (
    <EditSelected
      selected={selected}
      one="threat"
      many="threats"
      refusal={useRefusal(threats.updateMany.access)}
      spec={spec}
      onApply={(selection, change) => mutateAsync({ selection, change })}
    >
      {(form) => (
        <>
          <form.AppField name="isActive">
            {(field) => <field.SelectField items={activities} blank="No change" />}
          </form.AppField>
          <form.AppField name="threatTypeId">
            {(field) => <field.SelectField items={types} blank="No change" />}
          </form.AppField>
          <div className="col-span-full">
            <form.AppField name="threatCategory">
              {(field) => <field.TextField hint="Blank: no change" />}
            </form.AppField>
          </div>
          <form.AppField name="addAssets">{(field) => <field.AssetsField />}</form.AppField>
          <form.AppField name="removeAssets">{(field) => <field.AssetsField />}</form.AppField>
        </>
      )}
    </EditSelected>
  );
}
