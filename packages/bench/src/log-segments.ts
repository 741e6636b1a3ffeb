import type { Client } from 'pg';

/** Below 1 GB, `max_wal_size` of PostgreSQL, beyond which a checkpoint would begin. */
const segments = 56;

/**
 * Fills segments of PostgreSQL's log (16 MB each), which a checkpoint then makes ready to be used again. A server that has run
 * for some checkpoints has such segments. A new one fills each segment with zeros first, and a commit waits 50 ms for that.
 */
export async function fillSegments(admin: Client): Promise<void> {
  for (let made = 0; made < segments; made += 1) {
    await admin.query(
      "select pg_logical_emit_message(true, 'bench', 'a segment without a record is not left')",
    );
    await admin.query('select pg_switch_wal()');
  }
  await admin.query('checkpoint');
}
