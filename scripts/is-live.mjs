// Health check of the api container: exits with 0 when the process answers. A blank PORT is not set, as in the environment.
const port = process.env.PORT?.trim() || 3000;
const reply = await fetch(`http://127.0.0.1:${port}/api/health/live`).catch(() => undefined);
process.exit(reply?.ok ? 0 : 1);
