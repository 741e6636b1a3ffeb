import type { VignetteContent } from '@riskboard/contract';
import { cellsOf, positions } from '../scorecard/scorecard.ts';

/** A cell as it is typed. */
export interface CellDraft {
  /** The rating; empty: not rated. */
  readonly text: string;
  readonly notes: string;
}

/** The texts of a vignette. */
export const draftTexts = {
  name: 'Name',
  scorecardName: 'Scorecard name',
  origin: 'Origin',
  domain: 'Domain',
  maturity: 'Maturity',
  description: 'Description',
  businessValueContext: 'Business value context',
  archetypes: 'Archetypes',
  notes: 'Notes',
  references: 'References',
} as const satisfies Partial<Record<keyof VignetteContent, string>>;
export type DraftText = keyof typeof draftTexts;
const draftTextNames = Object.keys(draftTexts) as readonly DraftText[];

/** A vignette as it is typed: lists have one entry per line. */
export type Draft = Readonly<Record<DraftText, string>> & { readonly cells: readonly CellDraft[] };

const emptyCell: CellDraft = { text: '', notes: '' };

export const emptyDraft: Draft = {
  name: '',
  scorecardName: '',
  origin: '',
  domain: '',
  maturity: '',
  description: '',
  businessValueContext: '',
  archetypes: '',
  notes: '',
  references: '',
  cells: positions.map(() => emptyCell),
};

export function draftOf(content: VignetteContent): Draft {
  return {
    ...content,
    archetypes: content.archetypes.join('\n'),
    references: content.references.join('\n'),
    cells: cellsOf(content.scorecard).map((cell) =>
      cell === undefined ? emptyCell : { text: `${cell.subscore}`, notes: cell.notes },
    ),
  };
}

/** The draft of a copy: it has a name of its own, and no longer the origin of the original. */
export const draftOfCopy = (content: VignetteContent): Draft => ({
  ...draftOf(content),
  name: `${content.name} (copy)`.slice(0, 200),
  scorecardName: '',
  origin: '',
});

type ReadRating =
  | { readonly rating: number | null; readonly problem?: undefined }
  | { readonly rating?: undefined; readonly problem: string };

/**
 * Reads a typed rating; a comma is read as a point.
 * @param stored the rating as it was loaded, which may have more decimals
 */
export function readRating(text: string, stored = ''): ReadRating {
  const typed = text.trim().replace(',', '.');
  if (typed === '') return { rating: null };
  if (!/^\d*\.?\d*$/u.test(typed) || !/\d/u.test(typed)) return { problem: 'Enter a number from 0 to 10.' };
  const rating = Number(typed);
  if (rating > 10) return { problem: 'The highest rating is 10.' };
  if (typed !== stored && !/^\d*\.?\d?0*$/u.test(typed)) return { problem: 'Use steps of 0.1.' };
  return { rating };
}

/** Why each cell cannot be saved, by position. */
export function cellProblems(cells: readonly CellDraft[], base: readonly CellDraft[]): Map<number, string> {
  const problems = new Map<number, string>();
  for (const [index, { text }] of cells.entries()) {
    const { problem } = readRating(text, base[index]?.text);
    if (problem !== undefined) problems.set(index, problem);
  }
  return problems;
}

/** The rated cells; those that cannot be read are left out. */
export const scorecardOf = (cells: readonly CellDraft[]): VignetteContent['scorecard'] =>
  positions.flatMap((position, index) => {
    const { text = '', notes = '' } = cells[index] ?? {};
    const { rating } = readRating(text, text);
    return typeof rating === 'number' ? [{ ...position, subscore: rating, notes: notes.trim() }] : [];
  });

const linesOf = (text: string): string[] =>
  text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');

export function contentOf({ cells, ...texts }: Draft): VignetteContent {
  return {
    ...texts,
    archetypes: linesOf(texts.archetypes),
    references: linesOf(texts.references),
    scorecard: scorecardOf(cells),
  };
}

const sameCell = (a: CellDraft | undefined, b: CellDraft | undefined): boolean =>
  readRating(a?.text ?? '', a?.text).rating === readRating(b?.text ?? '', b?.text).rating &&
  a?.notes === b?.notes;

/** Texts and positions of cells that differ. */
export function changesOf(before: Draft, after: Draft) {
  return {
    texts: draftTextNames.filter((name) => before[name] !== after[name]),
    cells: [...positions.keys()].filter((index) => !sameCell(before.cells[index], after.cells[index])),
  };
}

export function isChanged(before: Draft, after: Draft): boolean {
  const { texts, cells } = changesOf(before, after);
  return texts.length + cells.length > 0;
}

/** What another user saved, with the texts and cells that were changed here since `base`. */
export function mergedDraft({ base, mine, theirs }: { base: Draft; mine: Draft; theirs: Draft }): Draft {
  const { texts, cells } = changesOf(base, mine);
  const own = new Set(cells);
  return {
    ...theirs,
    ...Object.fromEntries(texts.map((name) => [name, mine[name]])),
    cells: theirs.cells.map((cell, index) => (own.has(index) ? (mine.cells[index] ?? cell) : cell)),
  };
}

/**
 * Puts a block that was copied from a spreadsheet into the grid: rows are lines, columns are tabs. What lies outside of
 * the grid is dropped.
 * @returns undefined for a single value, which is pasted as text
 */
export function withBlock(cells: readonly CellDraft[], at: number, block: string): CellDraft[] | undefined {
  const rows = block
    .replace(/\r?\n$/u, '')
    .split(/\r?\n/u)
    .map((line) => line.split('\t'));
  if (rows.length === 1 && rows[0]?.length === 1) return undefined;
  const width = new Set(positions.map(({ layer }) => layer)).size;
  const [top, left] = [Math.floor(at / width), at % width];
  return cells.map((cell, index) => {
    const [row, column] = [Math.floor(index / width) - top, (index % width) - left];
    const text = column < 0 ? undefined : rows[row]?.[column];
    return text === undefined ? cell : { ...cell, text: text.trim() };
  });
}
