import type { ReactNode } from 'react';

/** An entry of the palette other than a record. */
export interface Command {
  readonly id: string;
  readonly group: 'Pages' | 'Actions';
  readonly label: string;
  /** Additional search terms. */
  readonly terms?: string;
  readonly icon: ReactNode;
  /** Keyboard shortcut of the same action, such as `g v`. */
  readonly keys?: string;
  /** Why the user may not run it; the entry is disabled and shows the reason. */
  readonly refusal?: string | undefined;
  readonly run: () => void;
}

/**
 * How well a text matches the input: 0 no match, 1 inside a word, 2 at the start of a word, 3 at the start of the
 * text.
 */
function rank(text: string, typed: string): number {
  const at = text.toLowerCase().indexOf(typed);
  if (at <= 0) return at + 1 === 0 ? 0 : 3;
  return text.toLowerCase().includes(` ${typed}`) ? 2 : 1;
}

/** Commands that match the input, best match first; all commands when the input is empty. */
export function matching(commands: readonly Command[], typed: string): Command[] {
  const text = typed.trim().toLowerCase();
  if (text === '') return [...commands];
  return commands
    .map((command) => ({
      command,
      rank: Math.max(rank(command.label, text), Math.min(1, rank(command.terms ?? '', text))),
    }))
    .filter((found) => found.rank > 0)
    .toSorted((a, b) => b.rank - a.rank)
    .map(({ command }) => command);
}
