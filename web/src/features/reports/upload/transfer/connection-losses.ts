import { createConnectionWatch } from './connection-watch.ts';

/**
 * Failures of one file without an answer, while others are answered, after which it is not sent again: the browser cannot
 * read a file that was changed or moved since it was chosen.
 */
const mostLosses = 3;
export const lossReason = 'Sending it failed three times. If the file was changed or moved, choose it again.';

interface LossPorts {
  /** Whether the API answers; never rejects. */
  isReachable(): Promise<boolean>;
  /**
   * Called when the API answers again.
   * @param unsendable the uploads without an answer that are not to be sent again
   */
  onReturn(unsendable: ReadonlySet<number>): void;
}

/**
 * The uploads without an answer since the connection was lost, by id. Those that have often been lost while the API was
 * reachable are not to be sent again: the cause may be the file.
 */
export function createConnectionLosses({ isReachable, onReturn }: LossPorts) {
  const lost = new Set<number>();
  const counts = new Map<number, number>();
  const watch = createConnectionWatch({
    isReachable,
    onReturn(wasDown) {
      if (!wasDown) for (const id of lost) counts.set(id, (counts.get(id) ?? 0) + 1);
      const unsendable = new Set([...lost].filter((id) => (counts.get(id) ?? 0) >= mostLosses));
      lost.clear();
      onReturn(unsendable);
    },
  });
  return {
    /** An upload had no answer: the API is checked until it answers again. */
    add(id: number): void {
      lost.add(id);
      watch.start();
    },
    /** No upload waits for the connection any longer. */
    end(): void {
      watch.stop();
      lost.clear();
    },
    /** Earlier losses of a file no longer count: the user sends it again. */
    delete: (id: number) => void counts.delete(id),
    check: watch.check,
  };
}
