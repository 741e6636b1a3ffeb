import type pg from 'pg';

/** Missing in pg's types: the process of the server that serves the connection. */
interface Connection extends pg.ClientBase {
  processID: number;
}

/** The role of a session is not the one of the start-up options: row-level security would not separate organizations. */
export class WrongRoleError extends Error {}

/** Connections of a pooler, which gives its clients other process ids than those of the server. */
const pooled = new WeakSet<pg.ClientBase>();
/** Whether a connection that {@link checkSession} has checked ends at a pooler, not at PostgreSQL. */
export const isPooled = (client: pg.ClientBase): boolean => pooled.has(client);

/**
 * Checks a new connection before its first use: poolers can drop start-up options, and an address can replace them.
 * @throws WrongRoleError when its statements would not run as `role`
 */
export async function checkSession(
  client: pg.ClientBase,
  { role, withinMs }: { role: string; withinMs: number },
): Promise<void> {
  const { rows } = await client.query<{ role: string; pid: number }>({
    text: 'select current_user::text as role, pg_backend_pid() as pid',
    query_timeout: withinMs,
  } as pg.QueryConfig);
  const [session] = rows;
  if (session?.role !== role)
    throw new WrongRoleError(
      `A connection has the role ${session?.role} instead of ${role}: its start-up options did not reach PostgreSQL. Remove the parameter "options" from the address of the database, and connect without a pooler that drops them, such as PgBouncer.`,
    );
  if (session.pid !== (client as Connection).processID) pooled.add(client);
}
