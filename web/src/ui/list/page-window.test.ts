import { describe, expect, test } from 'vitest';
import { pageFromText, pageWindow } from './page-window.ts';

describe('at most 5 page buttons (spec 9, Paging)', () => {
  test.each([
    [1, 1, [1]],
    [1, 3, [1, 2, 3]],
    [1, 9, [1, 2, 3, 4, 5]],
    [3, 9, [1, 2, 3, 4, 5]],
    [4, 9, [2, 3, 4, 5, 6]],
    [8, 9, [5, 6, 7, 8, 9]],
    [9, 9, [5, 6, 7, 8, 9]],
  ])('page %i of %i shows %j', (page, pages, shown) => expect(pageWindow(page, pages)).toEqual(shown));
});

describe('page box: digits only, clamped (spec 5)', () => {
  test.each([
    ['7', 7],
    ['0', 1],
    ['99', 9],
    ['a3b', 3],
    ['-4', 4],
    ['', null],
    ['abc', null],
  ])('%j of 9 pages is %s', (text, page) => expect(pageFromText(text, 9)).toBe(page));
});
