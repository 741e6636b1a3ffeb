import { expect, test } from 'vitest';
import { clearBottom } from './use-clear-space.ts';

const toasts = { left: 1064, right: 1424, height: 90 };
const row = (top: number, { left = 240, right = 1424 } = {}) => ({ top, bottom: top + 44, left, right });

test.each([
  ['without a pager, toasts are above the sticky bars', [], 80],
  ['a pager that they would cover is left free', [row(780)], 128],
  ['a pager that they would cover from above is left free', [row(700)], 208],
  ['a pager below them does not move them', [row(830)], 80],
  ['a pager far above them does not move them', [row(300)], 80],
  ['a pager beside them does not move them', [row(780, { right: 1000 })], 80],
  ['two pagers are left free', [row(700), row(790)], 208],
])('%s', (_what, boxes, bottom) => {
  expect(clearBottom(toasts, boxes, 900)).toBe(bottom);
});
