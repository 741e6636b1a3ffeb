// Health check of the api container: exits with 0 when the process answers.
const reply = await fetch(`http://127.0.0.1:${process.env.PORT ?? 3000}/api/health/live`).catch(
  () => undefined,
);
process.exit(reply?.ok ? 0 : 1);
