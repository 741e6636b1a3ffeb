import { Client } from 'pg';
import { ingest, remove } from './upload.ts';

/**
 * Child process of `list-under-ingest`: uploads a report, waits until its records are extracted, deletes it, and begins
 * again, until it is killed. Sends a message at the start and at the end of each ingest.
 */
const [origin = '', token = '', port = '', file = ''] = process.argv.slice(2);
const admin = new Client({
  host: '127.0.0.1',
  port: Number(port),
  user: 'postgres',
  password: 'bench',
  database: 'riskboard',
});
await admin.connect();
for (let run = 0; ; run += 1) {
  process.send?.('begins');
  const { fileId } = await ingest({ origin, token, admin, cookie: '' }, file, `repeated ${run}.json`);
  process.send?.('ended');
  await remove({ origin, token, cookie: '' }, fileId);
}
