import { useId, useMemo, useRef, useState, type ClipboardEvent, type KeyboardEvent } from 'react';
import { flushSync } from 'react-dom';
import { Textarea } from '../../../ui/input/textarea.tsx';
import { cellAfter, cellName, heatOf, highestOf } from '../scorecard/scorecard.ts';
import { decidingStyle, ScorecardFrame, ScorecardLegend } from '../scorecard/scorecard-frame.tsx';
import { readRating, withBlock, type CellDraft } from './draft.ts';

interface ScorecardEditorProps {
  cells: readonly CellDraft[];
  onChange: (cells: readonly CellDraft[]) => void;
  /** Why cells cannot be saved, by position. */
  problems: ReadonlyMap<number, string>;
  /** Why the scorecard is read-only. */
  locked: string | undefined;
  /** Id of the input of a position, to which problems link. */
  idOf: (index: number) => string;
}

/** Keys that end the typing in a cell and lead to the one below or above. */
const enter = (shift: boolean) => ({ key: shift ? 'ArrowUp' : 'ArrowDown', ctrlKey: false });

/** The scorecard as a grid of inputs, used like a spreadsheet (ARIA, grid pattern). */
export function ScorecardEditor({ cells, onChange, problems, locked, idOf }: ScorecardEditorProps) {
  const id = useId();
  const table = useRef<HTMLTableElement>(null);
  const [active, setActive] = useState(0);
  /** Text of the active cell when it received the focus: Escape restores it. */
  const before = useRef('');
  /** F2: the arrow keys move the caret instead of the focus. */
  const [inText, setInText] = useState(false);
  const ratings = useMemo(() => cells.map(({ text }) => readRating(text, text).rating), [cells]);
  const deciding = useMemo(() => highestOf(ratings), [ratings]);

  const change = (index: number, next: Partial<CellDraft>) =>
    onChange(cells.map((cell, at) => (at === index ? { ...cell, ...next } : cell)));

  function focusCell(index: number): void {
    table.current?.querySelector<HTMLInputElement>(`[data-cell="${index}"]`)?.focus();
  }

  function onKeyDown(index: number, event: KeyboardEvent<HTMLInputElement>): void {
    const { key, shiftKey, altKey, metaKey } = event;
    if (altKey || metaKey) return;
    if (key === 'Enter') {
      // Not the submission of the form.
      event.preventDefault();
      focusCell(cellAfter(index, enter(shiftKey)) ?? index);
      return;
    }
    if (key === 'F2') return setInText(!inText);
    if (locked === undefined && key === 'Escape' && cells[index]?.text !== before.current) {
      event.stopPropagation();
      const input = event.currentTarget;
      flushSync(() => change(index, { text: before.current }));
      // What is typed next replaces it again.
      return input.select();
    }
    if (inText) return;
    if (locked === undefined && key === 'Delete') {
      event.preventDefault();
      return change(index, { text: '' });
    }
    const next = shiftKey ? undefined : cellAfter(index, event);
    if (next === undefined) return;
    event.preventDefault();
    focusCell(next);
  }

  function onPaste(index: number, event: ClipboardEvent): void {
    const next = locked === undefined && withBlock(cells, index, event.clipboardData.getData('text/plain'));
    if (!next) return;
    event.preventDefault();
    onChange(next);
  }

  return (
    <>
      <ScorecardFrame
        label="Scorecard"
        describedBy={`${id}-keys`}
        table={table}
        renderCell={(index) => {
          const { text = '', notes = '' } = cells[index] ?? {};
          const problem = problems.get(index);
          return (
            <td
              key={index}
              className={`relative h-11 border-l p-0 ${problem === undefined ? heatOf(ratings[index]) : 'bg-danger-soft'} ${
                problem === undefined && deciding.has(index) ? decidingStyle : ''
              }`}
            >
              <input
                id={idOf(index)}
                data-cell={index}
                tabIndex={index === active ? 0 : -1}
                aria-label={cellName(index)}
                aria-invalid={problem !== undefined}
                aria-describedby={index === active ? `${id}-cell` : undefined}
                inputMode="decimal"
                autoComplete="off"
                placeholder="–"
                maxLength={12}
                value={text}
                readOnly={locked !== undefined}
                onFocus={(event) => {
                  setActive(index);
                  setInText(false);
                  before.current = text;
                  event.target.select();
                }}
                onDoubleClick={() => setInText(true)}
                onChange={(event) => change(index, { text: event.target.value })}
                onKeyDown={(event) => onKeyDown(index, event)}
                onPaste={(event) => onPaste(index, event)}
                className={`absolute inset-0 size-full bg-transparent text-center tabular-nums focus-visible:z-10 focus-visible:-outline-offset-2 ${problem === undefined ? '' : 'text-danger'}`}
              />
              {notes !== '' && (
                <span
                  aria-hidden
                  className="pointer-events-none absolute top-1.5 right-1.5 size-1.5 rounded-full bg-accent"
                />
              )}
            </td>
          );
        }}
      />
      <div className="flex flex-col gap-3 border-t px-4 py-3">
        <CellEditor
          id={`${id}-cell`}
          index={active}
          cell={cells[active]}
          problem={problems.get(active)}
          locked={locked}
          onNotes={(notes) => change(active, { notes })}
        />
        <ScorecardLegend />
        <p id={`${id}-keys`} className="text-xs text-muted">
          Arrow keys and Enter move, Delete clears, Escape restores, F2 edits the text, Tab leads to the note.
          A block of a spreadsheet can be pasted.
        </p>
      </div>
    </>
  );
}

interface CellEditorProps {
  id: string;
  index: number;
  cell: CellDraft | undefined;
  problem: string | undefined;
  locked: string | undefined;
  onNotes: (notes: string) => void;
}

function noteHint(isRated: boolean, hasLostNote: boolean): string | undefined {
  if (isRated) return undefined;
  return hasLostNote ? 'Rate the cell to keep its note.' : 'Rate the cell to add a note.';
}

/** The note of the active cell, and why its rating is refused. */
function CellEditor({ id, index, cell, problem, locked, onNotes }: CellEditorProps) {
  const isRated = (cell?.text ?? '').trim() !== '';
  const hasLostNote = !isRated && (cell?.notes ?? '') !== '';
  return (
    <div>
      <p id={id} className={`min-h-5 text-sm ${problem === undefined ? 'sr-only' : 'text-danger'}`}>
        {problem === undefined ? '' : `${cellName(index)}: ${problem}`}
      </p>
      <Textarea
        label={`Note: ${cellName(index)}`}
        hint={noteHint(isRated, hasLostNote)}
        value={cell?.notes ?? ''}
        onChange={onNotes}
        rows={2}
        maxLength={20_000}
        readOnly={locked !== undefined || (!isRated && !hasLostNote)}
        placeholder="Why this rating"
      />
    </div>
  );
}
