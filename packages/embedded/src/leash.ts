/**
 * Loaded before each program that the supervisor starts. The channel to the supervisor closes when that ends, even by
 * kill -9: then this program drains as if told to end, so that nothing of a dead start lives on.
 */
const patienceMs = 24_000;

process.once('disconnect', () => {
  setTimeout(() => process.exit(1), patienceMs).unref();
  process.kill(process.pid, 'SIGTERM');
});
// Listening must not keep a program alive that has nothing more to do.
process.channel?.unref();
