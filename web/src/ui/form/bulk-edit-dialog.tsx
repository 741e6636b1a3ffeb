import { mostAtOnce, type Field as FieldFacts, type Fields, type Related } from '@riskboard/contract';
import { formatCount, plural } from '@riskboard/domain';
import { useId, useMemo } from 'react';
import { ApiError } from '../../lib/api/errors.ts';
import { createStore, useSelected } from '../../lib/browser/store.ts';
import type { Body, BulkEditEntity } from '../../lib/entity/entity.ts';
import { fieldLabel } from '../../lib/entity/field-text.ts';
import type { FieldValue, FormValues } from '../../lib/entity/form-values.ts';
import { useUpdateMany } from '../../lib/entity/mutations.ts';
import { requestSelectedFocus } from '../../lib/entity/request-row-focus.ts';
import { Button } from '../button/button.tsx';
import { Dialog } from '../dialog/dialog.tsx';
import type { Selected } from '../list/use-selection.ts';
import { AssetsField } from './controls/assets-field.tsx';
import { ProjectField } from './controls/project-field.tsx';
import { SelectField } from './controls/select-field.tsx';
import { TextField } from './controls/text-field.tsx';
import { Field, itemsOf } from './entity-field.tsx';
import { FormProvider, type Entered, type FormState, type Pending, type Refused } from './form-context.ts';
import { messageAbout } from './form-problems.ts';

/** The choice that clears a field with choices; '' means no change. */
const cleared = 'none';

/** Related assets are added and removed, never replaced. */
const relationLabels = {
  addAssets: 'Add related assets',
  removeAssets: 'Remove related assets',
} as const;

/**
 * The fields of a bulk edit: the entity's `bulk` fields, and assets to add and remove. Relations between assets
 * themselves are edited one by one, because they must not form a cycle.
 */
function bulkFields({ fields, noun }: BulkEditEntity): Fields {
  const own = Object.entries(fields).filter(([, field]) => field.bulk === true);
  const relations = noun === 'assets' ? undefined : fields['relatedAssets'];
  const added = relations === undefined ? [] : Object.entries(relationLabels);
  return Object.fromEntries([
    ...own,
    ...added.map(([name, label]) => [name, { ...relations, label, formLabel: label }]),
  ]) as Fields;
}

const blankOf = ({ type }: FieldFacts): FieldValue => (type === 'relations' ? [] : '');

function sentOf(field: FieldFacts, value: FieldValue): unknown {
  if (typeof value !== 'string') return (value as readonly Related[]).map(({ _id }) => _id);
  if (value === cleared && itemsOf(field).length > 0) return '';
  if (field.type === 'flag') return value === 'true';
  return field.type === 'code' || field.type === 'scale' ? Number(value) : value.trim();
}

/** The fields that were filled in, as the API takes them. */
const changeOf = (fields: Fields, values: FormValues): Body =>
  Object.fromEntries(
    Object.entries(fields).flatMap(([name, field]) => {
      const value = values[name] ?? '';
      const isBlank = typeof value === 'string' ? value.trim() === '' : (value as unknown[]).length === 0;
      return isBlank ? [] : [[name, sentOf(field, value)]];
    }),
  );

function BulkControl({ field }: { field: FieldFacts }) {
  if (field.type === 'relations') return <AssetsField />;
  if (field.type === 'id') return <ProjectField placeholder="No change" />;
  const items = itemsOf(field);
  if (items.length === 0) return <TextField hint="Leave blank for no change" />;
  const clear = field.form?.blankLabel;
  return (
    <SelectField
      items={clear === undefined ? items : [...items, { value: cleared, label: clear }]}
      blank="No change"
    />
  );
}

/** Names shown before the others are counted. */
const mostNames = 3;

function namesText({ count, names }: Pick<Selected, 'count' | 'names'>): string {
  const shown = names.slice(0, mostNames);
  const others = count - shown.length;
  return others === 0 ? `${shown.join(', ')}.` : `${[...shown, `${formatCount(others)} more`].join(', ')}.`;
}

/** The messages of a failed edit about its fields, which are inside of `change`. */
function refusedOf(error: unknown, values: FormValues): Readonly<Record<string, Refused>> {
  const details = error instanceof ApiError ? error.details : [];
  return Object.fromEntries(
    details.toReversed().flatMap(({ path, message }) => {
      const [parent, name = ''] = path.split('.');
      const value = values[name];
      return parent === 'change' ? [[name, { message: messageAbout(value, message), value }]] : [];
    }),
  );
}

/** State of a form in which every field is optional and validated only by the server. */
function useBulkForm(bulk: BulkEditEntity): FormState {
  const id = useId();
  return useMemo(() => {
    const { sections } = bulk;
    const fields = bulkFields(bulk);
    const values = Object.fromEntries(Object.entries(fields).map(([name, field]) => [name, blankOf(field)]));
    return {
      id,
      entity: { fields, sections },
      entered: createStore<Entered>({ values, left: new Set() }),
      labelOf: (name) => fieldLabel(fields, name),
      isRequired: () => false,
      problemOf: () => undefined,
      marksProblems: () => false,
      attempted: createStore(false),
      refused: createStore<Readonly<Record<string, Refused>>>({}),
      pending: createStore<Readonly<Record<string, Pending>>>({}),
      locked: undefined,
    };
  }, [id, bulk]);
}

interface BulkEditDialogProps {
  entity: BulkEditEntity;
  selected: Selected;
  onClose: () => void;
}

/** Sets the same fields on every selected record; fields that are left blank do not change. */
export function BulkEditDialog({ entity, selected, onClose }: BulkEditDialogProps) {
  const id = useId();
  const form = useBulkForm(entity);
  const { mutateAsync, isPending: busy } = useUpdateMany(entity);
  const { fields } = form.entity;
  const { count, selection, clear } = selected;
  const counted = plural(count, entity.one, entity.many);
  const isUnchanged = useSelected(
    form.entered,
    ({ values }) => Object.keys(changeOf(fields, values)).length === 0,
  );

  async function apply(): Promise<void> {
    if (isUnchanged || busy) return;
    const { values } = form.entered.get();
    form.refused.set({});
    try {
      await mutateAsync({ selection, change: changeOf(fields, values) });
      clear();
      onClose();
      requestSelectedFocus(entity.noun, selection);
    } catch (error) {
      // The mutation has shown the error; the dialog stays open with what was chosen.
      form.refused.set(refusedOf(error, values));
    }
  }

  return (
    <Dialog
      open
      onOpenChange={(next) => !next && !busy && onClose()}
      title={`Edit ${counted}`}
      description={
        <>
          {namesText(selected)}
          {count > mostAtOnce && ' This many will be changed in the background.'} This cannot be undone.
        </>
      }
      width={560}
      footer={
        <>
          {isUnchanged && (
            <p id={`${id}-why`} className="mr-auto basis-full self-center text-sm text-muted sm:basis-auto">
              Choose what to change first.
            </p>
          )}
          <Button onClick={onClose} disabled={busy}>
            Cancel
          </Button>
          <Button
            type="submit"
            form={`${id}-form`}
            variant="primary"
            busy={busy}
            disabled={isUnchanged}
            aria-describedby={isUnchanged ? `${id}-why` : undefined}
          >
            Change {counted}
          </Button>
        </>
      }
    >
      <FormProvider value={form}>
        <form
          id={`${id}-form`}
          noValidate
          onSubmit={(event) => {
            event.preventDefault();
            void apply();
          }}
          className="grid grid-cols-1 items-start gap-x-4 gap-y-5 pt-1 sm:grid-cols-2"
        >
          {Object.entries(fields).map(([name, field]) => (
            <Field key={name} name={name}>
              <BulkControl field={field} />
            </Field>
          ))}
        </form>
      </FormProvider>
    </Dialog>
  );
}
