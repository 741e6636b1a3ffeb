import { setImmediate } from 'node:timers/promises';
import { readCsv } from '@riskboard/csv';
import { Pacer } from '@riskboard/operation';
import { SlotsFull } from '@riskboard/db';
import { afterEach, expect, it, vi } from 'vitest';
import { inReadingSlots } from './reading-slots.ts';

afterEach(() => vi.restoreAllMocks());

/** A file that has one chunk, and whose second one does not arrive. */
async function* stalled(): AsyncGenerator<string> {
  yield 'first';
  await new Promise(() => undefined);
}

it('files are parsed one at a time, and organizations in rotation', async () => {
  const parsed: string[] = [];
  const ends: (() => void)[] = [];
  const files = ['A', 'A', 'B'].map(async (organization) => {
    const chunks = (async function* () {
      yield organization;
    })();
    for await (const chunk of inReadingSlots(organization, chunks)) {
      parsed.push(chunk);
      await new Promise<void>((resolve) => ends.push(resolve));
    }
  });
  await setImmediate();
  expect(parsed).toEqual(['A']);
  while (parsed.length < 3 || ends.length > 0) {
    ends.shift()?.();
    await setImmediate();
  }
  await Promise.all(files);
  expect(parsed).toEqual(['A', 'A', 'B']);
});

it('a file whose sender is slow holds no slot, nor does one that is no longer read', async () => {
  for (let n = 0; n < 30; n += 1) {
    const chunks = inReadingSlots('A', stalled());
    expect((await chunks.next()).value).toBe('first');
    if (n % 2 === 0) void chunks.next();
    else await chunks.return(undefined);
  }
});

it('more files of an organization than may wait are refused', async () => {
  const refused: unknown[] = [];
  for (let n = 0; n < 30; n += 1)
    inReadingSlots('D', stalled())
      .next()
      .catch((error: unknown) => refused.push(error));
  await setImmediate();
  expect(refused).toEqual(Array.from({ length: 9 }, () => expect.any(SlotsFull)));
});

it('a CSV file is parsed in small parts, and other work runs between them', async () => {
  let now = 0;
  vi.spyOn(performance, 'now').mockImplementation(() => (now += 50));
  let others = 0;
  const ended = new AbortController();
  const other = (async () => {
    while (!ended.signal.aborted) {
      await setImmediate();
      others += 1;
    }
  })();
  const file = (async function* () {
    yield Buffer.from('x\n'.repeat(512 * 1024));
  })();
  let [parts, rows] = [0, 0];
  for await (const part of readCsv(file, new Pacer().pauseIfDue)) {
    expect(part.rows.length).toBeLessThanOrEqual(8 * 1024);
    parts += 1;
    rows += part.rows.length;
  }
  ended.abort();
  await other;
  expect(rows).toBe(512 * 1024);
  expect(others).toBeGreaterThanOrEqual(parts - 1);
});
