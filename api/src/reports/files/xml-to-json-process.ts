// Reads XML from its standard input and writes its JSON form; ends with another exit code when it has none.
import { writeFile } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { pipeline } from 'node:stream/promises';
import { XMLParser } from 'fast-xml-parser';

// When memory runs out, Linux ends this process and not the api.
await writeFile('/proc/self/oom_score_adj', '1000').catch(() => undefined);

/** Names that the parser refuses or renames, because they are properties of every object. */
const isReserved = (name: string): boolean => name in Object.prototype || name === 'prototype';

/** No name in XML begins with this character. */
const reservedMark = '#';

const parser = new XMLParser({
  ignoreAttributes: false,
  attributeNamePrefix: '@',
  parseTagValue: false,
  // It would trim each part of a text, such as those before and after CDATA.
  trimValues: false,
  htmlEntities: true,
  maxNestedTags: 256,
  transformTagName: (name) => (isReserved(name) ? `${reservedMark}${name}` : name),
});

const pieceLength = 64 * 1024;

/** A surrogate pair that is split becomes two escapes, which JSON reads as one character. */
function* escaped(value: string): Generator<string> {
  yield '"';
  for (let at = 0; at < value.length; at += pieceLength)
    yield JSON.stringify(value.slice(at, at + pieceLength)).slice(1, -1);
  yield '"';
}

function* items(all: readonly unknown[]): Generator<string> {
  yield '[';
  for (const [index, item] of all.entries()) {
    if (index > 0) yield ',';
    yield* tokens(item);
  }
  yield ']';
}

function* members(all: Readonly<Record<string, unknown>>): Generator<string> {
  yield '{';
  // Blanks between the elements are no text.
  const names = Object.keys(all).filter((name) => name !== '#text' || String(all[name]).trim() !== '');
  for (const [index, name] of names.entries()) {
    if (index > 0) yield ',';
    yield* escaped(isReserved(name.slice(1)) && name.startsWith(reservedMark) ? name.slice(1) : name);
    yield ':';
    yield* tokens(all[name]);
  }
  yield '}';
}

function* tokens(value: unknown): Generator<string> {
  if (typeof value === 'string') yield* escaped(value.trim());
  else if (Array.isArray(value)) yield* items(value);
  else yield* members(value as Record<string, unknown>);
}

/** The whole at once would be in memory up to three times, two of them outside of the heap and its limit. */
function* pieces(value: unknown): Generator<string> {
  let piece = '';
  for (const token of tokens(value)) {
    piece += token;
    if (piece.length < pieceLength) continue;
    yield piece;
    piece = '';
  }
  yield piece;
}

const form: unknown = parser.parse(await text(process.stdin));
// An ended output would look as if the process had closed it early, which ends the process.
await pipeline(Readable.from(pieces(form)), process.stdout, { end: false });
