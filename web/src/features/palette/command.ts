import type { Command } from '../../lib/browser/commands.ts';

/**
 * How well a text matches a word: 0 no match, 1 inside a word, 2 at the start of a word, 3 at the start of the text.
 */
function rank(text: string, word: string): number {
  const at = text.toLowerCase().indexOf(word);
  if (at <= 0) return at + 1 === 0 ? 0 : 3;
  return text.toLowerCase().includes(` ${word}`) ? 2 : 1;
}

/** How well a command matches each part of the input, in any order; 0 when it lacks one. */
function rankOf({ label, terms = '', about = '' }: Command, parts: readonly string[]): number {
  const ranks = parts.map((part) =>
    Math.max(rank(label, part), Math.min(1, rank(terms, part)), Math.min(1, rank(about, part))),
  );
  return ranks.includes(0) ? 0 : ranks.reduce((sum, one) => sum + one, 0);
}

export interface Match {
  readonly command: Command;
  /** Larger is better; 0 for all commands when the input is empty. */
  readonly rank: number;
}

/** Commands that match every part of the input, best match first; all commands when the input is empty. */
export function matching(commands: readonly Command[], typed: string): Match[] {
  const parts = typed.toLowerCase().split(/\s+/u).filter(Boolean);
  if (parts.length === 0) return commands.map((command) => ({ command, rank: 0 }));
  return commands
    .map((command) => ({ command, rank: rankOf(command, parts) }))
    .filter((found) => found.rank > 0)
    .toSorted((a, b) => b.rank - a.rank);
}
