import { expect, test } from 'vitest';
import { NextElement } from './next-element.ts';

const object = '{"type":"tool","n":1}';
const list = (...objects: string[]): Buffer => Buffer.from(`[${objects.join(',')}]`);

/** Has learned the separator of a list. */
function learned(): NextElement {
  const next = new NextElement();
  next.learn(list(object, object), 1 + object.length);
  return next;
}

test('finds the end of an object by what separated the objects before', () => {
  expect(new NextElement().find(list(object, object), 1)).toBe(-1);
  expect(learned().find(list(object, object), 1)).toBe(1 + object.length);
});

test('a chunk without a further separator is searched once, the next one again', () => {
  const next = learned();
  let searches = 0;
  const counted = (chunk: Buffer): Buffer =>
    Object.assign(chunk, {
      indexOf(...given: Parameters<Buffer['indexOf']>) {
        searches += 1;
        return Buffer.prototype.indexOf.apply(this, given);
      },
    });
  for (const chunk of [list('{"a":1}', '{"b":1}', '{"c":1}'), list('{"a":1}', object)].map(counted)) {
    next.startChunk();
    for (const start of [1, 9]) next.find(chunk, start);
  }
  expect(searches).toBe(3);
});

test('is no longer used once many ends were wrong', () => {
  const next = learned();
  const chunk = list(object, object);
  for (let failures = 0; failures <= 8; failures += 1) {
    expect(next.find(chunk, 1)).toBe(1 + object.length);
    next.checked(false);
  }
  expect(next.find(chunk, 1)).toBe(-1);
  for (let successes = 0; successes < 8; successes += 1) next.checked(true);
  expect(next.find(chunk, 1)).toBe(1 + object.length);
});
