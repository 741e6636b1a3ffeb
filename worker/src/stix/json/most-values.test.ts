import { mostValues } from '@riskboard/json';
import { expect, test } from 'vitest';
import { bundle, object, threat } from '../../testing/stix2.ts';
import { readAll } from '../../testing/test-sink.ts';

const reason = 'The object has too many values: more than 500,000 commas and opening brackets';

/** A list of so many commas and opening brackets. */
const listOf = (count: number): string => `[${'0,'.repeat(count - 1)}0]`;
/** An unmapped object of so many commas and opening brackets. */
const withValues = (count: number): string => `{"type":"note","id":"note--1","x":${listOf(count - 3)}}`;

const seen = async (text: string) => {
  const { objects, summary } = await readAll(text);
  return {
    objects: objects.map(({ type, location, outcome }) => `${type} ${location} ${outcome}`),
    reasons: objects.filter(({ outcome }) => outcome === 'failed').map((failed) => failed.reason),
    total: summary.objectTotal,
  };
};

test('an object with too many values fails with its location, and the others are read', async () => {
  const text = `{"type":"bundle","id":"bundle--1","objects":[${withValues(mostValues)},${withValues(mostValues + 1)},${JSON.stringify(threat({ name: 'Ada' }))}]}`;
  expect(await seen(text)).toEqual({
    objects: ['note /objects/0 unmapped', 'note /objects/1 failed', 'malware /objects/2 mapped'],
    reasons: [reason],
    total: 3,
  });
});

test('brackets and commas in a text are no values', async () => {
  const text = bundle([threat({ name: 'Ada', description: '[{,'.repeat(mostValues) })]);
  expect((await seen(text)).objects).toEqual(['malware /objects/0 mapped']);
});

test('a single object with too many values fails', async () => {
  expect(await seen(withValues(2 * mostValues))).toEqual({
    objects: ['note  failed'],
    reasons: [reason],
    total: 1,
  });
});

test('an object of a root list with too many values in several members fails, and the others are read', async () => {
  const members = Array.from({ length: 5 }, (_, n) => `"x${n}":${listOf(mostValues / 2)}`);
  const text = `[{"type":"note","id":"note--1",${members.join(',')}},${JSON.stringify(object('note', {}))}]`;
  expect(await seen(text)).toEqual({
    objects: ['note /0 failed', 'note /1 unmapped'],
    reasons: [reason],
    total: 2,
  });
});

test.each(['{"type":"bundle","id":"bundle--1",', '{"more":false,'])(
  'the objects of %s are read though another member has too many values',
  async (start) => {
    const text = `${start}"next":${listOf(2 * mostValues)},"objects":[${withValues(10)}]}`;
    expect((await seen(text)).objects).toEqual(['note /objects/0 unmapped']);
  },
);

test('a list with too many values in a root list is not an object', async () => {
  expect(await seen(`[${withValues(10)},${listOf(2 * mostValues)}]`)).toMatchObject({
    objects: ['note /0 unmapped', '(none) /1 failed'],
    reasons: ['The list contains a value that is not an object'],
  });
});
