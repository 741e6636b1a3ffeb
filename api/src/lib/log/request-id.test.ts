import { sql } from 'kysely';
import { expect, it } from 'vitest';
import { signUp, visitor } from '../../testing/person.ts';
import { bundle } from '../../testing/report.ts';
import { startApi } from '../../testing/start-api.ts';

it('the jobs of a call have its request id, and checks of health are not logged', async () => {
  const lines: string[] = [];
  const api = await startApi({ logLevel: 'info', logTo: { write: (line) => void lines.push(line) } });
  const ada = await signUp(api);
  await ada.upload({ name: 'a.json', content: bundle() });
  for (const part of ['live', 'ready']) await visitor(api).get(`/api/health/${part}`);
  const entries = lines.map((line) => JSON.parse(line) as { reqId?: string; req?: { url: string } });
  const upload = entries.find(({ req }) => req?.url === '/api/reports/upload');
  const { rows } = await sql<{
    id: string;
  }>`select request_id as id from job where kind = 'stix.parse'`.execute(api.database.system);
  await api.close();
  expect(rows).toEqual([{ id: upload?.reqId }]);
  expect(lines.join('')).not.toContain('/api/health/');
});
