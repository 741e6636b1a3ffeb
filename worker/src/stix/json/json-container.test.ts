import { expect, test } from 'vitest';
import { JsonContainer, mostMembers } from './json-container.ts';

const parse = ({ text = '' }: { text: string | undefined }): unknown => JSON.parse(text);

function add(container: JsonContainer, name: string, value: unknown): void {
  const slice = { problem: undefined, at: 0 };
  container.begin(name, { ...slice, text: JSON.stringify(name) });
  container.keep({ ...slice, text: JSON.stringify(value) }, parse, () => undefined);
}

test('of an object with too many members only those that follow and show what it is are kept', () => {
  const container = new JsonContainer('/0');
  for (let n = 0; n < mostMembers; n += 1) add(container, `a${n}`, n);
  expect(container.problem).toBeUndefined();
  for (let n = 0; n < 100; n += 1) add(container, `b${n}`, n);
  add(container, 'type', 'tool');
  add(container, 'id', 'tool--1');
  expect(container.problem).toBe('too-large');
  expect(Object.keys(container.value)).toHaveLength(mostMembers + 2);
  expect(container.value).toMatchObject({ type: 'tool', id: 'tool--1' });
});

test('names count as a part of the size of an object, and long ones are not kept apart', () => {
  const container = new JsonContainer('/0');
  for (let n = 0; n < 40; n += 1) add(container, `${n}`.padStart(1024 * 1024), 0);
  expect(container.problem).toBe('too-large');
  expect(container.names.size).toBe(1);
});
