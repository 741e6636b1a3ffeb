import type { Field } from '@riskboard/contract';
import type { Entity } from '../../lib/entity/entity.ts';
import { fieldText, formLabel } from '../../lib/entity/field-text.ts';
import { bodyOf, changedFields, type FieldValue, type FormValues } from '../../lib/entity/form-values.ts';
import { ConflictQuestion, shortened, type Difference } from '../dialog/conflict-question.tsx';

/** Another user saved a newer version of the record while it was being edited. */
export interface Conflict {
  /** Name of the user who saved it; empty when unknown. */
  changedBy: string;
  /** The values that the user started from, the values entered since, and the values saved now. */
  values: { base: FormValues; mine: FormValues; theirs: FormValues };
  close: () => void;
  reload: () => void;
  overwrite: () => void;
}

/** A form's value as text, for comparing two. */
function shownValue(field: Field, value: FieldValue): string {
  if (typeof value === 'boolean') return value ? 'Yes' : 'No';
  const text = typeof value === 'string' ? value.trim() : value;
  if (text.length === 0) return 'Blank';
  return shortened(fieldText(field, text));
}

/** Fields whose values in the form differ from those saved now. */
function differencesOf(entity: Entity, { base, mine, theirs }: Conflict['values']): Difference[] {
  const changed = changedFields(bodyOf(entity, base), bodyOf(entity, mine));
  const differing = changedFields(bodyOf(entity, theirs), bodyOf(entity, mine));
  // A field that only one of the bodies has, such as the score beside a vector, can be blank in both forms.
  const entered = changedFields(theirs, mine);
  return Object.entries(entity.fields)
    .filter(([name]) => name in differing && name in entered)
    .map(([name, field]) => {
      const shown = (values: FormValues) => shownValue(field, values[name] ?? '');
      return {
        label: formLabel(entity.fields, name),
        yours: name in changed ? shown(mine) : undefined,
        saved: shown(theirs),
      };
    });
}

interface ConflictDialogProps {
  entity: Entity;
  conflict: Conflict;
  busy: boolean;
}

/** The question about a conflict, with the fields whose values differ. */
export function ConflictDialog({ entity, conflict, busy }: ConflictDialogProps) {
  const { changedBy, values, close, reload, overwrite } = conflict;
  return (
    <ConflictQuestion
      changedBy={changedBy}
      description="A newer version was saved while you were editing. Reload it and lose your changes, or overwrite: only the fields that you changed are saved over it."
      heading="Field"
      differences={differencesOf(entity, values)}
      sameText="Your fields and the saved ones are the same."
      busy={busy}
      onClose={close}
      onReload={reload}
      onOverwrite={overwrite}
    />
  );
}
