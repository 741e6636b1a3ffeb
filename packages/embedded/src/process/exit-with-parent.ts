/**
 * Loaded before each program that the supervisor starts. The IPC channel closes when the supervisor ends, even by
 * kill -9: the program then shuts down as after SIGTERM, so that no process outlives its supervisor.
 */
const exitTimeoutMs = 24_000;

process.once('disconnect', () => {
  setTimeout(() => process.exit(1), exitTimeoutMs).unref();
  process.kill(process.pid, 'SIGTERM');
});
// The channel must not keep a program alive that has nothing more to do.
process.channel?.unref();
