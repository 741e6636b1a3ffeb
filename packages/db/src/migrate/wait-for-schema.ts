import { setTimeout as sleep } from 'node:timers/promises';
import type { Database } from '../connection/client.ts';
import { readSchemaState, schemaProblem } from './schema-state.ts';

interface WaitOptions {
  /** Receives the reason once, and again when the database stops or begins to answer. */
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
  let reported: 'older' | 'silent' | undefined;
  for (;;) {
    const state = await readSchemaState(database).catch(() => undefined);
    const reason = state === undefined ? 'the database does not answer' : schemaProblem(state);
    onLook?.();
    if (reason === undefined) return;
    // Migrations of which each commits change the list of those that are missing.
    const kind = state === undefined ? 'silent' : 'older';
    if (kind !== reported) onWait(reason);
    reported = kind;
    await sleep(everyMs);
  }
}
