import { useQueryClient } from '@tanstack/react-query';
import { valuesOf, type FieldValue, type FormValues } from '../../../lib/entity/form-values.ts';
import { numberText } from '../../../lib/entity/number-text.ts';
import { ConflictDialog } from '../../form/conflict-dialog.tsx';
import { changeField } from './change-field.ts';
import { refusedChange, valueOf, type RefusedChange } from './refused-change.ts';

/** The values of a form in which one field has a value and the others are blank. */
function oneValue({ entity, name }: RefusedChange, value: unknown): FormValues {
  const entered = typeof value === 'number' ? numberText(value) : ((value ?? '') as FieldValue);
  return { ...valuesOf(entity, undefined), [name]: entered };
}

/** Asks about a change of one field that another user's newer version has refused. */
export function InlineConflict({ refused }: { refused: RefusedChange }) {
  const queryClient = useQueryClient();
  const { entity, name, value, newer, record } = refused;
  const close = () => refusedChange.set(undefined);

  function overwrite(): void {
    close();
    const { before } = refused;
    // For the version that the question shows: a newer one is asked about again.
    const change = { entity, record: { ...record, version: newer.version }, name, value, before };
    void changeField(queryClient, change);
  }

  return (
    <ConflictDialog
      entity={entity}
      busy={false}
      conflict={{
        changedBy: newer.updatedBy,
        values: {
          base: oneValue(refused, valueOf(record, name)),
          mine: oneValue(refused, value),
          theirs: oneValue(refused, valueOf(newer, name)),
        },
        close,
        reload: close,
        overwrite,
      }}
    />
  );
}
