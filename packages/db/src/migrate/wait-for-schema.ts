import { setTimeout as sleep } from 'node:timers/promises';
import type { Database } from '../connection/client.ts';
import { readSchemaState, schemaProblem } from './schema-state.ts';

interface WaitOptions {
  /** Receives each reason once. */
  onWait: (reason: string) => void;
  /** Runs after each look at the database. */
  onLook?: () => void;
  everyMs?: number;
}

/**
 * Waits until the database has every migration of this program, for as long as that takes. A worker that ran jobs before
 * would fail them.
 */
export async function waitForSchema(
  database: Pick<Database, 'system'>,
  { onWait, onLook, everyMs = 1000 }: WaitOptions,
): Promise<void> {
  let reported: string | undefined;
  for (;;) {
    const reason = await readSchemaState(database).then(schemaProblem, () => 'the database does not answer');
    onLook?.();
    if (reason === undefined) return;
    if (reason !== reported) onWait(reason);
    reported = reason;
    await sleep(everyMs);
  }
}
