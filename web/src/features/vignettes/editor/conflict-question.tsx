import { useRef } from 'react';
import { Button } from '../../../ui/button/button.tsx';
import { Dialog } from '../../../ui/dialog/dialog.tsx';
import { cellName } from '../scorecard/scorecard.ts';
import { changesOf, draftTexts, type Draft } from './draft.ts';
import type { Conflict } from './use-vignette-form.ts';

export interface ConflictQuestionProps {
  conflict: Conflict;
  busy: boolean;
  onClose: () => void;
  onReload: () => void;
  onOverwrite: () => void;
}

interface Difference {
  label: string;
  /** What overwriting would save; undefined when it was not changed here. */
  yours: string | undefined;
  saved: string;
}

/** Characters of a text before it is cut. */
const longest = 160;

function shown(text: string, blank = 'Blank'): string {
  if (text.trim() === '') return blank;
  return text.length > longest ? `${text.slice(0, longest).trimEnd()}…` : text;
}

const cellText = (draft: Draft, index: number): string => {
  const { text = '', notes = '' } = draft.cells[index] ?? {};
  return shown(notes === '' || text === '' ? text : `${text} (${notes})`, 'Not rated');
};

/** Texts and cells that differ between the form and the newest version. */
function differencesOf({ base, mine, theirs }: Conflict['drafts']): Difference[] {
  const changed = changesOf(base, mine);
  const differing = changesOf(theirs, mine);
  return [
    ...differing.texts.map((name) => ({
      label: draftTexts[name],
      yours: changed.texts.includes(name) ? shown(mine[name]) : undefined,
      saved: shown(theirs[name]),
    })),
    ...differing.cells.map((index) => ({
      label: cellName(index),
      yours: changed.cells.includes(index) ? cellText(mine, index) : undefined,
      saved: cellText(theirs, index),
    })),
  ];
}

/** Shows the version that another user saved meanwhile: reload it, or save over it (stack, UX: optimistic edits). */
export function ConflictQuestion({ conflict, busy, onClose, onReload, onOverwrite }: ConflictQuestionProps) {
  const keep = useRef<HTMLButtonElement>(null);
  const { newer, drafts } = conflict;
  const by = newer.versions[0]?.by ?? '';
  const differences = differencesOf(drafts);
  return (
    <Dialog
      open
      onOpenChange={(open) => !open && !busy && onClose()}
      title={`Changed by ${by === '' ? 'another user' : by}`}
      description={`Version ${newer.version} was saved while you were editing. Reload it and lose your changes, or overwrite: only the texts and cells that you changed are saved over it.`}
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
        <p>Your vignette and the saved one are the same.</p>
      ) : (
        // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- what scrolls must be reachable by keyboard
        <section className="overflow-x-auto" tabIndex={0} aria-label="Differences">
          <table className="w-full table-fixed text-left text-sm">
            <thead className="text-muted">
              <tr className="border-b">
                <th scope="col" className="py-2 pr-3 font-medium">
                  Field or cell
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
                <tr key={label} className="border-b align-top wrap-anywhere last:border-b-0">
                  <th scope="row" className="py-2 pr-3 font-normal text-muted">
                    {label}
                  </th>
                  <td className="py-2 pr-3 tabular-nums">
                    {yours ?? <span className="text-muted">Not changed</span>}
                  </td>
                  <td className="py-2 tabular-nums">{saved}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </section>
      )}
    </Dialog>
  );
}
