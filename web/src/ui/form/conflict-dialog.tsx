import { useRef } from 'react';
import { Button } from '../button/button.tsx';
import { Dialog } from '../dialog/dialog.tsx';
import type { Difference } from './conflict.ts';

interface ConflictDialogProps {
  /** Who saved the newer version; empty: nobody is named. */
  changedBy: string;
  differences: readonly Difference[];
  busy: boolean;
  onClose: () => void;
  onReload: () => void;
  onOverwrite: () => void;
}

/** Somebody saved a newer version meanwhile: take theirs, or save over it (stack, UX: optimistic edits). */
export function ConflictDialog({
  changedBy,
  differences,
  busy,
  onClose,
  onReload,
  onOverwrite,
}: ConflictDialogProps) {
  const keep = useRef<HTMLButtonElement>(null);
  return (
    <Dialog
      open
      onOpenChange={(open) => !open && !busy && onClose()}
      title={`Changed by ${changedBy === '' ? 'somebody else' : changedBy}`}
      description="A newer version was saved while you were editing. Reload it and lose your changes, or overwrite: only the fields that you changed are saved over it."
      width={680}
      initialFocus={() => keep.current}
      footer={
        <>
          <Button ref={keep} onClick={onClose} disabled={busy}>
            Keep editing
          </Button>
          <Button onClick={onReload} disabled={busy}>
            Reload
          </Button>
          <Button variant="danger" busy={busy} onClick={onOverwrite}>
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
                    {yours ?? <span className="text-muted">Not changed by you: stays as saved</span>}
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
