import { mostValues } from '@riskboard/json';
import { expect, test } from 'vitest';
import { readAll } from '../../testing/test-sink.ts';

const values = `[${'0,'.repeat(mostValues + 1)}0]`;
const deep = `${'['.repeat(200)}${']'.repeat(200)}`;
const large = `"${'a'.repeat(33 * 1024 * 1024)}"`;
const inBundle = (object: string) => `{"type":"bundle","id":"bundle--1","objects":[\n${object}]}`;
const note = (members: string) => `{"type":"note","id":"note--1",${members}}`;

test.each([
  ['is too deep', inBundle(note(`"x":garbage <b>,"y":${deep}`)), 2],
  ['has too many values', inBundle(note(`"y":${values},"x":01`)), 2],
  ['is too large', inBundle(note(`"x":tru,"y":${large}`)), 2],
  ['is too large, behind its limit', inBundle(note(`"y":${large},\n"x" 1`)), 3],
  ['is a single one with too many values, in a later member', note(`"y":${values},\n"x":[1,]`), 2],
])(
  'a report is malformed when an object that is not read breaks the grammar: one that %s',
  async (_, text, line) => {
    expect(() => JSON.parse(text) as unknown).toThrow(SyntaxError);
    await expect(readAll(text)).rejects.toMatchObject({
      code: 'malformed',
      location: expect.stringContaining(`line ${line}, `) as string,
    });
  },
);
