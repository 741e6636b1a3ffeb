import type { ReactNode } from 'react';

/** Something that the palette can do besides opening a record. */
export interface Command {
  readonly id: string;
  readonly group: 'Pages' | 'Actions';
  readonly label: string;
  /** Other words that find it. */
  readonly words?: string;
  readonly icon: ReactNode;
  /** Keys that do the same: `g v`. */
  readonly keys?: string;
  /** Why the person may not: it is shown, disabled, with the reason. */
  readonly refusal?: string | undefined;
  readonly run: () => void;
}

/** How well a text answers what was typed: 0 not at all, 1 somewhere, 2 at the start of a word, 3 at its own start. */
function rank(text: string, typed: string): number {
  const at = text.toLowerCase().indexOf(typed);
  if (at <= 0) return at + 1 === 0 ? 0 : 3;
  return text.toLowerCase().includes(` ${typed}`) ? 2 : 1;
}

/** Commands that answer what was typed, best first; all of them for nothing. */
export function matching(commands: readonly Command[], typed: string): Command[] {
  const text = typed.trim().toLowerCase();
  if (text === '') return [...commands];
  return commands
    .map((command) => ({
      command,
      rank: Math.max(rank(command.label, text), Math.min(1, rank(command.words ?? '', text))),
    }))
    .filter((found) => found.rank > 0)
    .toSorted((a, b) => b.rank - a.rank)
    .map(({ command }) => command);
}
