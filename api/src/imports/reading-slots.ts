import { createFairSlots } from '@riskboard/db';

/**
 * CSV files are parsed in steps of some milliseconds. One at a time: a second one would be no faster, and other requests
 * would wait for a step of each.
 */
const slots = createFairSlots({ total: 1, perKey: 1, waiting: 20 });

/**
 * The chunks of a CSV file, each of which holds a slot of the organization until the next one is asked for. No slot is held
 * while a chunk arrives, so that a slow sender holds none.
 * @throws SlotsFull when too many files of the organization wait
 */
export async function* inReadingSlots<T>(
  organizationId: string,
  chunks: AsyncIterable<T>,
): AsyncGenerator<T> {
  for await (const chunk of chunks) {
    const release = await slots.take(organizationId);
    try {
      yield chunk;
    } finally {
      release();
    }
  }
}
