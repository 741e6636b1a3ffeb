import type { SavedView } from '@riskboard/contract';
import { useId, useRef, useState, type SubmitEvent } from 'react';
import { messageOf } from '../../lib/api/errors.ts';
import { Button } from '../button/button.tsx';
import { Checkbox } from '../input/checkbox.tsx';
import { Dialog } from '../dialog/dialog.tsx';
import { Input } from '../input/input.tsx';

export interface SaveViewDialogProps {
  search: SavedView['search'];
  create: (body: Pick<SavedView, 'name' | 'search' | 'isDefault'>) => Promise<SavedView>;
  onSaved: (view: SavedView) => void;
  onClose: () => void;
}

/** Dialog for the name of a new view; open while rendered. */
export function SaveViewDialog({ search, create, onSaved, onClose }: SaveViewDialogProps) {
  const id = useId();
  const form = useRef<HTMLFormElement>(null);
  const [name, setName] = useState('');
  const [isDefault, setIsDefault] = useState(false);
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<string>();

  async function save(event: SubmitEvent) {
    event.preventDefault();
    if (name.trim() === '' || busy) return;
    setBusy(true);
    try {
      onSaved(await create({ name: name.trim(), search, isDefault }));
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
      title="Save view"
      description="Saves filters, sorting, columns and density to reuse or share by link."
      width={420}
      initialFocus={() => form.current?.querySelector('input') ?? null}
      footer={
        <>
          <Button onClick={onClose} disabled={busy}>
            Cancel
          </Button>
          <Button type="submit" form={id} variant="primary" busy={busy} disabled={name.trim() === ''}>
            Save view
          </Button>
        </>
      }
    >
      <form id={id} ref={form} onSubmit={(event) => void save(event)} className="flex flex-col gap-3">
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
        <Checkbox label="Open this view by default" checked={isDefault} onChange={setIsDefault} />
      </form>
    </Dialog>
  );
}
