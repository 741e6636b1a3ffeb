import fc from 'fast-check';
import { deepestJson, largestJson } from '@riskboard/domain';
import { describe, expect, test } from 'vitest';
import { JsonSlicer, type JsonSlice } from './json-slicer.ts';
import { JsonSyntaxError } from './syntax-error.ts';
import { mostValues } from './most-values.ts';

interface Cut {
  members: [string, unknown][];
  elements: unknown[];
  problems: string[];
}

/** As JSON.parse does, also for `__proto__`. */
const define = (object: unknown, name: string, value: unknown): void =>
  void Object.defineProperty(object, name, { value, enumerable: true, configurable: true, writable: true });

/** Feeds a text in chunks of `size` and parses every slice. */
function cut(text: string, chunkSize: number): Cut {
  const result: Cut = { members: [], elements: [], problems: [] };
  let name = '';
  let isRootList = false;
  let isInElement = false;
  const parsed = ({ text: slice, problem, object }: JsonSlice): unknown => {
    if (problem !== undefined) result.problems.push(problem);
    return slice === undefined ? undefined : (object ?? JSON.parse(slice));
  };
  const slicer = new JsonSlicer({
    open: () => {
      isInElement = isRootList;
      // An element of the root list is put together from its members.
      if (isInElement) result.elements.push({});
    },
    close: () => {
      isInElement = false;
    },
    name: (slice) => {
      name = String(parsed(slice));
      return name === 'objects' && !isRootList;
    },
    member: (slice) => {
      const value = parsed(slice);
      if (isInElement) define(result.elements.at(-1), name, value);
      else result.members.push([name, value]);
    },
    element: (slice) => void result.elements.push(parsed(slice)),
    list: () => {
      isRootList ||= name === '' && result.members.length === 0;
    },
  });
  const bytes = Buffer.from(text);
  for (let at = 0; at < bytes.length; at += chunkSize) {
    const chunk = bytes.subarray(at, at + chunkSize);
    slicer.push(chunk);
    // As its owner may do.
    chunk.fill(0);
  }
  slicer.end();
  return result;
}

async function* chunksOf(text: string, size: number): AsyncGenerator<Buffer> {
  const bytes = Buffer.from(text);
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
}

/** Where the error of a text is. */
async function locationOf(text: string, chunkSize: number): Promise<string | undefined> {
  try {
    cut(text, chunkSize);
  } catch (error) {
    if (!(error instanceof JsonSyntaxError)) throw error;
    const { line, column } = await error.locate(chunksOf(text, chunkSize));
    return `line ${line}, column ${column}`;
  }
  return undefined;
}

const spacing = fc.constantFrom(undefined, 1, '\t', '\r\n  ');
const chunkSize = fc.integer({ min: 1, max: 40 });

describe('slices have the values that JSON.parse returns, wherever chunks end', () => {
  test('a list', () => {
    const property = fc.property(fc.array(fc.jsonValue()), spacing, chunkSize, (list, space, size) => {
      expect(cut(JSON.stringify(list, undefined, space), size).elements).toEqual(
        JSON.parse(JSON.stringify(list)),
      );
    });
    fc.assert(property, { numRuns: 400 });
  });

  test('an object with its list before, between and after other members', () => {
    const members = fc.dictionary(
      fc.string().filter((key) => key !== 'objects'),
      fc.jsonValue(),
    );
    const property = fc.property(
      members,
      fc.array(fc.jsonValue()),
      members,
      fc.tuple(spacing, chunkSize),
      (before, objects, after, [space, size]) => {
        const root = { ...before, objects, ...after };
        const plain = JSON.parse(JSON.stringify(root)) as Record<string, unknown>;
        const { members: found, elements } = cut(JSON.stringify(root, undefined, space), size);
        expect(elements).toEqual(plain['objects']);
        expect(found).toEqual(Object.entries(plain).filter(([key]) => key !== 'objects'));
      },
    );
    fc.assert(property, { numRuns: 400 });
  });

  test('a text is rejected exactly when JSON.parse rejects it', () => {
    const piece = fc.constantFrom(
      '{',
      '}',
      '[',
      ']',
      ',',
      ':',
      '"a"',
      '"objects"',
      '1',
      'true',
      ' ',
      '"\\"',
      '\\',
    );
    const property = fc.property(fc.array(piece, { maxLength: 12 }), chunkSize, (pieces, size) => {
      const text = `${pieces[0] === '[' ? '[' : '{'}${pieces.join('')}`;
      const accepts = (read: () => unknown): boolean => {
        try {
          read();
          return true;
        } catch {
          return false;
        }
      };
      expect(accepts(() => cut(text, size))).toBe(accepts(() => JSON.parse(text)));
    });
    fc.assert(property, { numRuns: 3000 });
  });
});

test('the list of each object of a list is cut too', () => {
  const bundles = fc.array(
    fc.record({ a: fc.jsonValue(), objects: fc.array(fc.jsonValue()), b: fc.jsonValue() }),
  );
  const property = fc.property(bundles, spacing, chunkSize, (list, space, size) => {
    const calls: unknown[] = [];
    const value = ({ text = '' }: JsonSlice): unknown => JSON.parse(text);
    const slicer = new JsonSlicer({
      open: () => void calls.push('{'),
      close: () => void calls.push('}'),
      list: () => void calls.push('['),
      name: (slice) => value(slice) === 'objects',
      member: (slice) => void calls.push(value(slice)),
      element: (slice) => void calls.push(value(slice)),
    });
    const text = JSON.stringify(list, undefined, space);
    const bytes = Buffer.from(text);
    for (let at = 0; at < bytes.length; at += size) slicer.push(bytes.subarray(at, at + size));
    slicer.end();
    const plain = JSON.parse(text) as { a: unknown; objects: unknown[]; b: unknown }[];
    expect(calls).toEqual(['[', ...plain.flatMap(({ a, objects, b }) => ['{', a, '[', ...objects, b, '}'])]);
  });
  fc.assert(property, { numRuns: 300 });
});

describe('the grammar of the root', () => {
  test.each([
    ['trailing comma in the object', '{"a":1,}', 'line 1, column 8'],
    ['trailing comma in the list', '{"objects":[1,]}', 'line 1, column 15'],
    ['garbage after the root', '{"a":1}\nx', 'line 2, column 1'],
    ['second root', '[] []', 'line 1, column 4'],
    ['missing colon', '{\n  "a" 1}', 'line 2, column 7'],
    ['unquoted name', '{a:1}', 'line 1, column 2'],
    ['missing comma between elements', '[{}\n\n {}]', 'line 3, column 2'],
    ['leading comma', '[,1]', 'line 1, column 2'],
    ['unclosed list', '[{"a":[1]}', 'line 1, column 11'],
    ['unclosed string', '["abc', 'line 1, column 6'],
    ['garbage behind text in Chinese', `["${'漢'.repeat(100)}"]x`, 'line 1, column 105'],
    ['garbage behind characters of two and four bytes', '[1,\n"é😀"]x', 'line 2, column 7'],
  ])('%s names line and column', async (_, text, location) => {
    for (const size of [1, 3, 100]) expect(await locationOf(text, size)).toBe(location);
  });
});

describe('a list whose objects are written alike', () => {
  const name = fc.constantFrom('type', 'id', 'a');
  const leaf = fc.oneof(fc.integer(), fc.string(), fc.constant('},{"type"'), fc.constant('},\n  {'));
  const entries = (value: fc.Arbitrary<unknown>) =>
    fc.uniqueArray(fc.tuple(name, value), { selector: ([key]) => key, maxLength: 3 });
  const inner = entries(leaf).map((found) => Object.fromEntries(found));
  // Lists of objects inside the elements have the same separators without indentation.
  const element = entries(fc.oneof(leaf, inner, fc.array(inner, { maxLength: 4 }))).map((found) =>
    Object.fromEntries(found),
  );
  const objects = fc.array(fc.oneof({ weight: 9, arbitrary: element }, { weight: 1, arbitrary: leaf }), {
    maxLength: 60,
  });
  const size = fc.constantFrom(20, 100, 500, 100_000);

  test('has the elements that JSON.parse returns', () => {
    const property = fc.property(objects, spacing, size, (list, space, chunks) => {
      const text = JSON.stringify({ objects: list }, undefined, space);
      expect(cut(text, chunks).elements).toEqual(JSON.parse(text).objects);
    });
    fc.assert(property, { numRuns: 2000 });
  });

  test('marks the object that nests too deep', () => {
    const nested = (depth: number): string =>
      `{"type":"x","a":${'['.repeat(depth - 1)}${']'.repeat(depth - 1)}}`;
    const depths = [2, 2, 2, deepestJson, deepestJson + 1, 2, 2];
    const { elements, problems } = cut(`{"objects":[${depths.map(nested).join(',')}]}`, 100_000);
    expect(problems).toEqual(['too-deep']);
    expect(elements.map((one) => one === undefined)).toEqual(depths.map((depth) => depth > deepestJson));
  });

  test.each([undefined, 1, '\t'])(
    'gives its objects as values, except the first and the last (%j)',
    (space) => {
      const objects = Array.from({ length: 20 }, (_, n) => ({ type: 'tool', n, list: [{ n }, { n }] }));
      const values: unknown[] = [];
      const slicer = new JsonSlicer({
        open: () => undefined,
        close: () => undefined,
        name: () => true,
        member: () => undefined,
        list: () => undefined,
        element: ({ object }) => void values.push(object),
      });
      slicer.push(Buffer.from(JSON.stringify({ objects }, undefined, space)));
      expect(values).toEqual([undefined, ...objects.slice(1, -1), undefined]);
    },
  );
});

describe('bounds', () => {
  const nested = (depth: number): string => '['.repeat(depth) + ']'.repeat(depth);

  test('an element at the greatest depth is read, a deeper one is skipped, and the next is read', () => {
    const text = `[${nested(deepestJson)},${nested(deepestJson + 1)},7]`;
    const { elements, problems } = cut(text, 50);
    expect(problems).toEqual(['too-deep']);
    expect(elements).toHaveLength(3);
    expect(elements[1]).toBeUndefined();
    expect(elements[2]).toBe(7);
  });

  test('brackets in strings do not count as depth', () => {
    expect(cut(JSON.stringify(['['.repeat(500)]), 7).problems).toEqual([]);
  });

  test('an element of more than 32 MiB is skipped, and the next is read', () => {
    const { elements, problems } = cut(`["${'x'.repeat(largestJson)}",7]`, 1 << 20);
    expect(problems).toEqual(['too-large']);
    expect(elements).toEqual([undefined, 7]);
  });

  test('an object of more than 32 MiB is skipped whole, though each of its chunks starts with an object', () => {
    const size = 1 << 20;
    const inner = '{"type":"abcd"},';
    const small = '{"type":"small"}';
    const list = `${inner.repeat((largestJson + 2 * size) / inner.length)}{"type":"last"}`;
    const start = `{"objects":[${small},${small},{"type":"big","list":[`;
    const filled = `${' '.repeat(inner.length - (start.length % inner.length))}${start}`;
    const { elements, problems } = cut(`${filled}${list}]},${small},${small}]}`, size);
    expect(problems).toEqual(['too-large']);
    expect(elements).toHaveLength(5);
  });

  test.each([1 << 17, 1 << 23])(
    'an object of too many values is skipped, and the next is read, in chunks of %i bytes',
    (size) => {
      const small = '{"type":"small"}';
      const large = `{"type":"large","x":[${'{},'.repeat(mostValues / 2)}{}]}`;
      const { elements, problems } = cut(
        `{"objects":[${[small, small, small, large, small].join(',')}]}`,
        size,
      );
      expect(problems).toEqual(['too-many-values']);
      expect(elements.map((one) => one === undefined)).toEqual([false, false, false, true, false]);
    },
  );
});
