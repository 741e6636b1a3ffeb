import { expect, test } from 'vitest';
import { inShownOrder } from './held-rows.ts';

const row = (id: string, status = 'open') => ({ id, status });
const idOf = ({ id }: { id: string }) => id;
const ids = (rows: readonly { id: string }[]) => rows.map(idOf).join(' ');

test('the new rows are shown in the order of the old ones', () => {
  const shown = [row('a'), row('b'), row('c')];
  const next = [row('c', 'fixed'), row('a'), row('b')];
  const rows = inShownOrder({ shown, next, idOf, edited: new Map([['c', {}]]) });
  expect(ids(rows)).toBe('a b c');
  expect(rows[2]?.status).toBe('fixed');
});

test('an edited row that the list no longer has stays with its newest values; other missing rows go', () => {
  const shown = [row('a'), row('b'), row('c')];
  const edited = new Map([['b', { status: 'fixed', unknown: 1 }]]);
  const rows = inShownOrder({ shown, next: [row('c')], idOf, edited });
  expect(rows).toEqual([row('b', 'fixed'), row('c')]);
});

test('rows that are new on the page follow the others', () => {
  const edited = new Map([['a', {}]]);
  const rows = inShownOrder({
    shown: [row('a'), row('b')],
    next: [row('x'), row('b'), row('a')],
    idOf,
    edited,
  });
  expect(ids(rows)).toBe('a b x');
});
