import { closeCodes } from '@riskboard/contract';
import { ServerMessage } from '@riskboard/contract/schemas';
import { everyRow } from '@riskboard/worker/testing/seed';
import { bundle, manyVulnerabilities } from '@riskboard/worker/testing/stix2';
import { Client } from 'pg';
import { afterAll, beforeAll, expect, it, onTestFinished, vi } from 'vitest';
import { type Product, startProduct } from '../support/product.ts';
import { repeatUnavailable } from '../support/repeat-unavailable.ts';

const password = 'correct horse battery staple';

let product: Product;
let origin: string;
beforeAll(async () => {
  product = await startProduct();
  origin = product.origins[0] ?? '';
});
afterAll(() => product.stop());

/** Signs up a user with a new organization. */
async function signUp(email: string) {
  const body = JSON.stringify({ email, password, firstName: 'Ada', organization: 'Northquay' });
  const headers = { origin, 'content-type': 'application/json' };
  const answer = await repeatUnavailable(() =>
    fetch(`${origin}/api/auth/signup`, { method: 'POST', headers, body }),
  );
  const { user } = (await answer.json()) as { user: { organizationId: string } };
  const cookie = answer.headers
    .getSetCookie()
    .map((line) => line.split(';')[0])
    .join('; ');
  return {
    organizationId: user.organizationId,
    cookie,
    call: (method: string, path: string, sent?: object) =>
      repeatUnavailable(() =>
        fetch(`${origin}/api${path}`, {
          method,
          headers: { origin, cookie, ...(sent ? { 'content-type': 'application/json' } : {}) },
          ...(sent ? { body: JSON.stringify(sent) } : {}),
        }),
      ),
  };
}

type Person = Awaited<ReturnType<typeof signUp>>;

async function upload({ cookie }: Person): Promise<void> {
  const form = new FormData();
  form.set('stixFile', new Blob([bundle(manyVulnerabilities(5000))]), 'many.json');
  const url = `${origin}/api/reports/upload?extract=vulnerabilities`;
  const answer = await repeatUnavailable(() =>
    fetch(url, { method: 'POST', headers: { origin, cookie }, body: form }),
  );
  expect(answer.status).toBe(201);
}

/** Node's WebSocket accepts headers, which the browser type does not declare. */
const NodeWebSocket = WebSocket as unknown as new (
  url: string,
  init: { headers: Record<string, string> },
) => WebSocket;

/** Messages of the event socket until it closes, and the close code. */
async function listen({ cookie }: Person) {
  const received: ServerMessage[] = [];
  const socket = new NodeWebSocket(`${origin.replace('http', 'ws')}/api/events`, {
    headers: { cookie, origin },
  });
  socket.addEventListener('message', ({ data }) =>
    received.push(ServerMessage.parse(JSON.parse(String(data)))),
  );
  const closed = new Promise<number>((resolve) => {
    socket.addEventListener('close', ({ code }) => resolve(code));
  });
  await vi.waitFor(() => expect(received.map(({ type }) => type)).toContain('snapshot'));
  return { received, closed };
}

it('deleting an organization reports progress, ends its sessions and leaves other organizations unchanged', async () => {
  const [person, neighbour] = [await signUp('ada@example.org'), await signUp('grace@example.org')];
  for (const one of [person, neighbour]) await upload(one);
  await vi.waitFor(
    async () => {
      const answer = await neighbour.call('GET', '/jobs?state=succeeded');
      expect(await answer.json()).toMatchObject({ total: 2 });
    },
    { timeout: 60_000, interval: 200 },
  );
  const admin = new Client({ connectionString: product.database.adminUrl });
  await admin.connect();
  onTestFinished(() => admin.end());
  const counts = async ({ organizationId }: Person) =>
    Object.entries(await everyRow(admin, organizationId)).flatMap(([table, rows]) =>
      rows.length === 0 ? [] : [[table, rows.length]],
    );
  // A recomputation of the overview moves rows between its tables at its own time, also during this test.
  const stableCounts = async (one: Person) =>
    (await counts(one)).filter(([table]) => !String(table).startsWith('overview_'));
  const theirs = await stableCounts(neighbour);
  const { received, closed } = await listen(person);

  const answer = await person.call('DELETE', '/organization', { name: 'Northquay', password });
  expect(answer.status).toBe(202);
  const { jobId } = (await answer.json()) as { jobId: string };
  expect(await closed).toBe(closeCodes.sessionEnded);
  const steps = received.flatMap((message) =>
    message.type === 'job.updated' && message.job._id === jobId ? [message.job.state] : [],
  );
  expect(new Set(steps)).toEqual(new Set(['queued', 'running']));
  await vi.waitFor(async () => expect(await counts(person)).toEqual([]));
  expect((await person.call('GET', '/auth/me')).status).toBe(401);
  const back = await person.call('POST', '/auth/login', { email: 'ada@example.org', password });
  expect(back.status).toBe(401);
  expect((await neighbour.call('GET', '/auth/me')).status).toBe(200);
  expect(await stableCounts(neighbour)).toEqual(theirs);
});
