/** A message to publish, and its topic. */
export interface Publication {
  topic: string;
  message: unknown;
}

/** Several messages of one topic as one message of the backend, in their order. */
interface Batch {
  riskboardBatch: readonly unknown[];
}

/** Characters as text, well below the limit of the backend (512 KiB), because a character has up to four bytes. */
const mostCharacters = 100_000;

const isBatch = (data: unknown): data is Batch =>
  typeof data === 'object' && data !== null && Array.isArray((data as Partial<Batch>).riskboardBatch);

const lengthOf = (message: unknown): number => JSON.stringify(message)?.length ?? 0;

/**
 * The number of messages at the start of a queue that can be sent together: those of the first one's topic, up to the
 * limit. At least 1 of a queue that is not empty, so that a message that is too large is refused alone.
 */
export function lengthOfBatch(queue: readonly Publication[]): number {
  const [first] = queue;
  if (queue.length < 2 || queue[1]?.topic !== first?.topic) return Math.min(queue.length, 1);
  let characters = 0;
  const end = queue.findIndex(({ topic, message }) => {
    characters += lengthOf(message);
    return topic !== first?.topic || characters > mostCharacters;
  });
  return end === -1 ? queue.length : Math.max(end, 1);
}

/** One message for the backend. */
export const packed = (messages: readonly unknown[]): unknown =>
  messages.length === 1 ? messages[0] : ({ riskboardBatch: messages } satisfies Batch);

/** The messages of a message of the backend. */
export const unpacked = (data: unknown): readonly unknown[] => (isBatch(data) ? data.riskboardBatch : [data]);
