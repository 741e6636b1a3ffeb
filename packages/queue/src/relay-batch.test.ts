import { describe, expect, it } from 'vitest';
import { lengthOfBatch, packed, unpacked } from './relay-batch.ts';

const to = (topic: string, message: unknown = {}) => ({ topic, message });

describe('messages of the relay that are sent together', () => {
  it('are the first ones of one topic', () => {
    expect(lengthOfBatch([])).toBe(0);
    expect(lengthOfBatch([to('a')])).toBe(1);
    expect(lengthOfBatch([to('a'), to('b'), to('a')])).toBe(1);
    expect(lengthOfBatch([to('a'), to('a'), to('b'), to('a')])).toBe(2);
    expect(lengthOfBatch([to('a'), to('a'), to('a')])).toBe(3);
  });

  it('stay below the limit of the backend; a larger one is sent alone', () => {
    const third = 'x'.repeat(40_000);
    expect(lengthOfBatch([to('a', third), to('a', third), to('a', third)])).toBe(2);
    const large = 'x'.repeat(200_000);
    expect(lengthOfBatch([to('a', large), to('a')])).toBe(1);
    expect(lengthOfBatch([to('a'), to('a', large)])).toBe(1);
  });

  it('arrive as they were, one or several', () => {
    for (const messages of [[1], [null], [[1, 2]], [{ a: 1 }, null, [2], 'text']])
      expect(unpacked(packed(messages))).toEqual(messages);
  });
});
