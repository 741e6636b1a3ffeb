import http from 'node:http';

// Health check of the api container: exits with 0 when the process answers. A blank PORT is not set, as in the environment. An agent of
// its own uses no proxy of the environment.
const port = process.env.PORT?.trim() || 3000;
const address = { host: '127.0.0.1', port, path: '/api/health/live', agent: new http.Agent() };
http
  .get(address, ({ statusCode }) => process.exit(statusCode === 200 ? 0 : 1))
  .on('error', () => process.exit(1));
