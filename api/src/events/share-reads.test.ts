import { expect, it } from 'vitest';
import { shareReads } from './share-reads.ts';

it('callers that wait share one read, and one that comes during a read gets a later one', async () => {
  const begun: PromiseWithResolvers<string>[] = [];
  const read = shareReads(() => {
    begun.push(Promise.withResolvers<string>());
    return (begun.at(-1) as PromiseWithResolvers<string>).promise;
  });
  const first = [read('a'), read('a')];
  await new Promise(setImmediate);
  expect(begun).toHaveLength(1);
  const second = [read('a'), read('a')];
  await new Promise(setImmediate);
  expect(begun).toHaveLength(1);
  begun[0]?.resolve('old');
  expect(await Promise.all(first)).toEqual(['old', 'old']);
  await new Promise(setImmediate);
  begun[1]?.resolve('new');
  expect(await Promise.all(second)).toEqual(['new', 'new']);
});

it('a failed read fails its callers only', async () => {
  let count = 0;
  const read = shareReads(async (key) => {
    count += 1;
    if (count === 1) throw new Error('down');
    return key;
  });
  await expect(read('a')).rejects.toThrow('down');
  expect(await read('a')).toBe('a');
});
