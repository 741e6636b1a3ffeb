import type { SavedView } from '@riskboard/contract';
import { isVisible } from '@riskboard/domain';
import { useId, useRef, useState, type SubmitEvent } from 'react';
import { messageOf } from '../../lib/api/errors.ts';
import { Button } from '../button/button.tsx';
import { Checkbox } from '../input/checkbox.tsx';
import { Dialog } from '../dialog/dialog.tsx';
import { Input } from '../input/input.tsx';

export interface SaveViewDialogProps {
  /** The view to rename; absent: a new one. */
  renamed?: SavedView | undefined;
  save: (values: Pick<SavedView, 'name' | 'isDefault'>) => Promise<SavedView>;
  onSaved: (view: SavedView) => void;
  onClose: () => void;
}

/** Dialog for the name of a new view or of one to rename; open while rendered. */
export function SaveViewDialog({ renamed, save, onSaved, onClose }: SaveViewDialogProps) {
  const id = useId();
  const form = useRef<HTMLFormElement>(null);
  const [name, setName] = useState(renamed?.name ?? '');
  const [isDefault, setIsDefault] = useState(renamed?.isDefault ?? false);
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<string>();

  const entered = name.trim();
  const isReady = isVisible(entered) && entered !== renamed?.name;

  async function submit(event: SubmitEvent) {
    event.preventDefault();
    if (!isReady || busy) return;
    setBusy(true);
    try {
      onSaved(await save({ name: entered, isDefault }));
      onClose();
    } catch (failure) {
      setError(messageOf(failure, 'The view was not saved. Please try again.'));
      setBusy(false);
    }
  }

  return (
    <Dialog
      open
      onOpenChange={(open) => !open && !busy && onClose()}
      title={renamed === undefined ? 'Save view' : 'Rename view'}
      description={
        renamed === undefined
          ? 'Saves filters, sorting, columns and density to reuse or share by link.'
          : 'Links to the view stay valid.'
      }
      width={420}
      initialFocus={() => form.current?.querySelector('input') ?? null}
      footer={
        <>
          <Button onClick={onClose} disabled={busy}>
            Cancel
          </Button>
          <Button type="submit" form={id} variant="primary" busy={busy} disabled={!isReady}>
            {renamed === undefined ? 'Save view' : 'Rename'}
          </Button>
        </>
      }
    >
      <form id={id} ref={form} onSubmit={(event) => void submit(event)} className="flex flex-col gap-3">
        <Input
          label="Name"
          value={name}
          onChange={(next) => {
            setName(next);
            setError(undefined);
          }}
          error={error}
          maxLength={100}
          autoComplete="off"
        />
        {renamed === undefined && (
          <Checkbox label="Open this view by default" checked={isDefault} onChange={setIsDefault} />
        )}
      </form>
    </Dialog>
  );
}
