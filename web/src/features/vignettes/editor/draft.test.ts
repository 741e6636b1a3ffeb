import type { VignetteContent } from '@riskboard/contract';
import { describe, expect, test } from 'vitest';
import {
  cellProblems,
  changesOf,
  contentOf,
  draftOf,
  draftOfCopy,
  emptyDraft,
  isChanged,
  mergedDraft,
  readRating,
  withBlock,
  type Draft,
} from './draft.ts';

const content: VignetteContent = {
  name: 'Harbour control',
  scorecardName: 'Cranes',
  description: 'Cranes and locks.',
  domain: 'Logistics',
  maturity: 'draft',
  archetypes: ['Web server', 'PLC'],
  businessValueContext: '',
  notes: '',
  references: ['https://example.org/a'],
  origin: 'Harbour Authority',
  scorecard: [
    { impact: 'Modify data', layer: 'System', subscore: 9, notes: 'Cranes move.' },
    { impact: 'Read data', layer: 'Network', subscore: 7.25, notes: '' },
  ],
};

/** The draft with other ratings at some positions. */
const rated = (draft: Draft, texts: Record<number, string>): Draft => ({
  ...draft,
  cells: draft.cells.map((cell, index) => ({ ...cell, text: texts[index] ?? cell.text })),
});

describe('a rating', () => {
  test.each([
    ['', null],
    ['  ', null],
    ['0', 0],
    ['10', 10],
    ['7.5', 7.5],
    ['7,5', 7.5],
    ['.5', 0.5],
    ['8.', 8],
    ['8.50', 8.5],
  ])('"%s" is read as %s', (text, rating) => expect(readRating(text)).toEqual({ rating }));

  test.each([
    ['11', 'The highest rating is 10.'],
    ['10.1', 'The highest rating is 10.'],
    ['-1', 'Enter a number from 0 to 10.'],
    ['high', 'Enter a number from 0 to 10.'],
    ['.', 'Enter a number from 0 to 10.'],
    ['1e1', 'Enter a number from 0 to 10.'],
    ['7.25', 'Use steps of 0.1.'],
  ])('"%s" is refused: %s', (text, problem) => expect(readRating(text)).toEqual({ problem }));

  test('of a file keeps its decimals until it is changed', () => {
    expect(readRating('7.25', '7.25')).toEqual({ rating: 7.25 });
    const { cells } = draftOf(content);
    expect(cellProblems(cells, cells).size).toBe(0);
    expect([...cellProblems(rated(draftOf(content), { 6: '7.35', 1: '12' }).cells, cells)]).toEqual([
      [1, 'The highest rating is 10.'],
      [6, 'Use steps of 0.1.'],
    ]);
  });
});

describe('a draft', () => {
  test('keeps everything of the vignette that it was made from', () => {
    expect(contentOf(draftOf(content))).toEqual(content);
  });

  test('has one archetype or reference per line, without blank lines', () => {
    const { archetypes } = contentOf({ ...draftOf(content), archetypes: ' PLC \n\nDatabase\n' });
    expect(archetypes).toEqual(['PLC', 'Database']);
  });

  test('does not save the note of a cell without a rating', () => {
    expect(contentOf(rated(draftOf(content), { 0: '' })).scorecard).toEqual([content.scorecard[1]]);
  });

  test('is unchanged when a rating is written in another way', () => {
    expect(isChanged(draftOf(content), rated(draftOf(content), { 0: '9.0' }))).toBe(false);
    expect(isChanged(draftOf(content), rated(draftOf(content), { 0: '0' }))).toBe(true);
    expect(isChanged(emptyDraft, rated(emptyDraft, { 3: '0' }))).toBe(true);
  });

  test('of a copy has another name and no longer the origin of the original', () => {
    expect(draftOfCopy(content)).toMatchObject({
      name: 'Harbour control (copy)',
      origin: '',
      domain: 'Logistics',
    });
  });

  test('is merged cell by cell and text by text with what another user saved', () => {
    const base = draftOf(content);
    const mine = rated({ ...base, notes: 'Mine.' }, { 0: '8', 5: '3' });
    const theirs = rated({ ...base, notes: 'Theirs.', domain: 'Ports' }, { 0: '10', 6: '' });
    const merged = mergedDraft({ base, mine, theirs });
    expect(changesOf(base, merged)).toEqual({ texts: ['domain', 'notes'], cells: [0, 5, 6] });
    expect(merged).toMatchObject({ notes: 'Mine.', domain: 'Ports' });
    expect([0, 5, 6].map((index) => merged.cells[index]?.text)).toEqual(['8', '3', '']);
  });
});

describe('a block of a spreadsheet', () => {
  test('fills the cells from the one that it is pasted into, and drops what lies outside', () => {
    const cells = withBlock(draftOf(content).cells, 6, '1\t2\t3\r\n4\t\n');
    expect(cells?.map(({ text }) => text).slice(4, 13)).toEqual(['', '', '1', '2', '', '', '4', '', '']);
    expect(cells?.[0]).toEqual({ text: '9', notes: 'Cranes move.' });
  });

  test('is no block when it is a single value', () => {
    expect(withBlock(emptyDraft.cells, 0, '7\n')).toBeUndefined();
  });
});
