import { mostAtOnce } from '@riskboard/contract';
import { useId, useMemo, useState } from 'react';
import { formatCount, plural } from '../../lib/format/format.ts';
import { createStore, useSelected } from '../../lib/browser/store.ts';
import { Button } from '../button/button.tsx';
import { Dialog } from '../dialog/dialog.tsx';
import type { EditSelectedProps } from './edit-selected.tsx';
import { StandingProvider, type Refused, type Standing } from './form-context.ts';
import { useAppForm } from './use-app-form.tsx';

interface BulkEditDialogProps<Values extends object, Change extends object> extends EditSelectedProps<
  Values,
  Change
> {
  onClose: () => void;
}

/** Names shown before the rest becomes a number. */
const mostNames = 3;

function named({ count, names }: { count: number; names: readonly string[] }): string {
  const shown = names.slice(0, mostNames);
  const rest = count - shown.length;
  return rest === 0 ? `${shown.join(', ')}.` : `${[...shown, `${formatCount(rest)} more`].join(', ')}.`;
}

/** Sets fields on selected records; what is left as it is changes nothing. */
export function BulkEditDialog<Values extends object, Change extends object>({
  selected,
  one,
  many,
  spec,
  onApply,
  onClose,
  children,
}: BulkEditDialogProps<Values, Change>) {
  const id = useId();
  const form = useAppForm(spec.blank);
  const [busy, setBusy] = useState(false);
  const { count, selection, clear } = selected;
  const counted = plural(count, one, many);
  const standing = useMemo<Standing>(
    () => ({
      id,
      labels: spec.labels,
      required: new Set<string>(),
      problemOf: () => undefined,
      attempted: createStore(false),
      refused: createStore<Readonly<Record<string, Refused>>>({}),
      locked: undefined,
    }),
    [id, spec],
  );
  const nothing = useSelected(form.store, ({ values }) => Object.keys(spec.changeOf(values)).length === 0);

  async function apply(): Promise<void> {
    if (nothing || busy) return;
    setBusy(true);
    try {
      await onApply(selection, spec.changeOf(form.store.get().values));
      clear();
      onClose();
    } catch {
      // Whoever changes them has told why; what was chosen stays for another try.
      setBusy(false);
    }
  }

  return (
    <Dialog
      open
      onOpenChange={(open) => !open && !busy && onClose()}
      title={`Edit ${counted}`}
      description={
        <>
          {named(selected)}
          {count > mostAtOnce && ' So many are changed in the background.'}
        </>
      }
      width={560}
      footer={
        <>
          {nothing && (
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
            disabled={nothing}
            aria-describedby={nothing ? `${id}-why` : undefined}
          >
            Change {counted}
          </Button>
        </>
      }
    >
      <StandingProvider value={standing}>
        <form
          id={`${id}-form`}
          noValidate
          onSubmit={(event) => {
            event.preventDefault();
            void apply();
          }}
          className="grid items-start gap-x-4 gap-y-5 pt-1 sm:grid-cols-2"
        >
          {children(form)}
        </form>
      </StandingProvider>
    </Dialog>
  );
}
