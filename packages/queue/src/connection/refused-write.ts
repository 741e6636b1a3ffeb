/** Redis before version 7 puts the reason of a failed script behind a text of its own. */
const reply = (codes: string): RegExp => new RegExp(`^(?:ERR .*-)?(?:${codes}) `, 'u');

const readOnly = reply('READONLY');
const refusal = reply('READONLY|OOM|MISCONF|NOREPLICAS');

/** Whether Redis has become a replica: its address may lead to another server by now, a new connection to that one. */
export const isReadOnlyReplica = (error: Error): boolean => readOnly.test(error.message);

/** Whether Redis answers but stores nothing: a replica, memory or disk full, or too few replicas. */
export const isRefusedWrite = (error: unknown): boolean =>
  error instanceof Error && refusal.test(error.message);
