import { describe, expect, it } from 'vitest';
import { changesOf } from './changes.ts';

const before = {
  name: 'Harbour',
  severity: 7.5,
  owner: null as string | null,
  tags: ['a', 'b'],
  seenAt: new Date('2026-01-01T00:00:00Z'),
  port: { country: 'PT', city: 'Porto' },
};
const fields = ['name', 'severity', 'owner', 'tags', 'seenAt', 'port'] as const;

describe('changesOf', () => {
  it.each([
    ['a text', { name: 'Port' }, { name: { from: 'Harbour', to: 'Port' } }],
    ['a number', { severity: 9 }, { severity: { from: 7.5, to: 9 } }],
    ['a field that was empty', { owner: 'Ada' }, { owner: { from: null, to: 'Ada' } }],
    ['a field that becomes empty', { name: null }, { name: { from: 'Harbour', to: null } }],
    ['the order of a list', { tags: ['b', 'a'] }, { tags: { from: ['a', 'b'], to: ['b', 'a'] } }],
    [
      'a date',
      { seenAt: new Date('2026-02-01T00:00:00Z') },
      { seenAt: { from: '2026-01-01T00:00:00.000Z', to: '2026-02-01T00:00:00.000Z' } },
    ],
    ['several fields in the order of the field list', { severity: 1, name: 'P' }, { name: {}, severity: {} }],
  ])('reports a change of %s', (_what, after, expected) => {
    const changes = changesOf(before, after, fields);
    expect(changes).toMatchObject(expected);
    expect(Object.keys(changes)).toEqual(Object.keys(expected));
  });

  it.each([
    ['is absent', {}],
    ['keeps its value', { ...before }],
    ['is an equal date', { seenAt: '2026-01-01T00:00:00.000Z' }],
    ['is an equal list', { tags: ['a', 'b'] }],
    ['is an equal object with its keys in another order', { port: { city: 'Porto', country: 'PT' } }],
    ['was empty and stays empty', { owner: null }],
    ['is undefined', { name: undefined }],
  ])('leaves out a field that %s', (_what, after) => {
    expect(changesOf(before, after, fields)).toEqual({});
  });

  it('compares the listed fields only', () => {
    expect(changesOf(before, { name: 'Port', severity: 1 }, ['severity'])).toEqual({
      severity: { from: 7.5, to: 1 },
    });
  });

  it('distinguishes a list from an object with the same keys', () => {
    expect(changesOf({ at: ['a'] }, { at: { 0: 'a' } }, ['at'])).toEqual({
      at: { from: ['a'], to: { 0: 'a' } },
    });
  });

  it('compares long texts in full, then cuts them without splitting a character', () => {
    const long = 'x'.repeat(300);
    const { text } = changesOf({ text: `${long}a` }, { text: `${long}b` }, ['text']);
    expect(text?.from).toBe(`${'x'.repeat(199)}…`);
    expect(text?.to).toBe(text?.from);
    const keys = changesOf({ text: '' }, { text: `${'x'.repeat(198)}🔑🔑` }, ['text']);
    expect(keys['text']?.to).toBe(`${'x'.repeat(198)}…`);
    expect(changesOf({ text: '' }, { text: 'x'.repeat(200) }, ['text'])['text']?.to).toBe('x'.repeat(200));
  });

  it('cuts long lists to the beginning of their JSON', () => {
    const { ids } = changesOf({ ids: [] as string[] }, { ids: Array(100).fill('abcdef') }, ['ids']);
    expect(ids?.from).toEqual([]);
    expect(ids?.to).toMatch(/^\["abcdef",.*…$/u);
    expect(String(ids?.to)).toHaveLength(200);
  });
});
