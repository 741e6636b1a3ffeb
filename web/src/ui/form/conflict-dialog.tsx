import type { Field } from '@riskboard/contract';
import { useRef } from 'react';
import type { Entity } from '../../lib/entity/entity.ts';
import { fieldText, formLabel } from '../../lib/entity/field-text.ts';
import { bodyOf, changedFields, type FieldValue, type FormValues } from '../../lib/entity/form-values.ts';
import { Button } from '../button/button.tsx';
import { Dialog } from '../dialog/dialog.tsx';

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

interface Difference {
  label: string;
  /**
   * The value that overwriting would save; undefined when the user has not changed the field, so the saved value is
   * kept.
   */
  yours: string | undefined;
  saved: string;
}

/** Characters of a text before it is cut. */
const longest = 160;

/** A form's value as text, for comparing two. */
function shownValue(field: Field, value: FieldValue): string {
  if (typeof value === 'boolean') return value ? 'Yes' : 'No';
  const text = typeof value === 'string' ? value.trim() : value;
  if (text.length === 0) return 'Blank';
  const shown = fieldText(field, text);
  return shown.length > longest ? `${shown.slice(0, longest).trimEnd()}…` : shown;
}

/** Fields whose values in the form differ from those saved now. */
function differencesOf(entity: Entity, { base, mine, theirs }: Conflict['values']): Difference[] {
  const changed = changedFields(bodyOf(entity, base), bodyOf(entity, mine));
  const differing = changedFields(bodyOf(entity, theirs), bodyOf(entity, mine));
  return Object.entries(entity.fields)
    .filter(([name]) => name in differing)
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

/** Shows what another user saved meanwhile: reload it, or save over it (stack, UX: optimistic edits). */
export function ConflictDialog({ entity, conflict, busy }: ConflictDialogProps) {
  const keep = useRef<HTMLButtonElement>(null);
  const { changedBy, values, close, reload, overwrite } = conflict;
  const differences = differencesOf(entity, values);
  return (
    <Dialog
      open
      onOpenChange={(open) => !open && !busy && close()}
      title={`Changed by ${changedBy === '' ? 'another user' : changedBy}`}
      description="A newer version was saved while you were editing. Reload it and lose your changes, or overwrite: only the fields that you changed are saved over it."
      width={680}
      initialFocus={() => keep.current}
      footer={
        <>
          <Button ref={keep} onClick={close} disabled={busy}>
            Keep editing
          </Button>
          <Button onClick={reload} disabled={busy}>
            Reload
          </Button>
          <Button variant="danger" busy={busy} onClick={overwrite}>
            Overwrite
          </Button>
        </>
      }
    >
      {differences.length === 0 ? (
        <p>Your fields and the saved ones are the same.</p>
      ) : (
        // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- what scrolls must be reachable by keyboard
        <section className="overflow-x-auto" tabIndex={0} aria-label="Fields that differ">
          <table className="w-full table-fixed text-left text-sm">
            <thead className="text-muted">
              <tr className="border-b">
                <th scope="col" className="w-28 py-2 pr-3 font-medium sm:w-36">
                  Field
                </th>
                <th scope="col" className="py-2 pr-3 font-medium">
                  Yours
                </th>
                <th scope="col" className="py-2 font-medium">
                  Saved now
                </th>
              </tr>
            </thead>
            <tbody>
              {differences.map(({ label, yours, saved }) => (
                <tr key={label} className="border-b align-top last:border-b-0">
                  <th scope="row" className="py-2 pr-3 font-medium">
                    {label}
                  </th>
                  <td className="py-2 pr-3 break-words">
                    {yours ?? <span className="text-muted">Not changed by you; the saved value is kept</span>}
                  </td>
                  <td className="py-2 break-words">{saved}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </section>
      )}
    </Dialog>
  );
}
