import { useRef } from 'react';
import { Button } from '../button/button.tsx';
import { Dialog } from './dialog.tsx';

/** Characters of a text before it is cut. */
const longest = 160;

/** A text as the table shows it: cut when it is long. */
export const shortened = (text: string): string =>
  text.length > longest ? `${text.slice(0, longest).trimEnd()}…` : text;

/** What differs between the values of this user and those saved now. */
export interface Difference {
  label: string;
  /** The value that overwriting would save; undefined when the user has not changed it, so the saved value is kept. */
  yours: string | undefined;
  saved: string;
}

interface ConflictQuestionProps {
  /** Name of the user who saved the newer version; empty when unknown. */
  changedBy: string;
  description: string;
  /** Heading of the first column. */
  heading: string;
  differences: readonly Difference[];
  /** Shown when nothing differs. */
  sameText: string;
  busy: boolean;
  onClose: () => void;
  onReload: () => void;
  onOverwrite: () => void;
}

/** Shows what another user saved meanwhile: reload it, or save over it (stack, UX: optimistic edits). */
export function ConflictQuestion(props: ConflictQuestionProps) {
  const { changedBy, description, differences, sameText, busy, onClose, onReload, onOverwrite } = props;
  const keep = useRef<HTMLButtonElement>(null);
  return (
    <Dialog
      open
      onOpenChange={(open) => !open && !busy && onClose()}
      title={`Changed by ${changedBy === '' ? 'another user' : changedBy}`}
      description={description}
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
        <p>{sameText}</p>
      ) : (
        <Differences heading={props.heading} differences={differences} />
      )}
    </Dialog>
  );
}

function Differences({ heading, differences }: Pick<ConflictQuestionProps, 'heading' | 'differences'>) {
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- what scrolls must be reachable by keyboard
    <section className="overflow-x-auto" tabIndex={0} aria-label="Differences">
      <table className="w-full table-fixed text-left text-sm">
        <thead className="text-muted">
          <tr className="border-b">
            <th scope="col" className="w-28 py-2 pr-3 font-medium sm:w-36">
              {heading}
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
              <th scope="row" className="py-2 pr-3 font-medium">
                {label}
              </th>
              <td className="py-2 pr-3 tabular-nums">
                {yours ?? <span className="text-muted">Not changed by you; the saved value is kept</span>}
              </td>
              <td className="py-2 tabular-nums">{saved}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}
