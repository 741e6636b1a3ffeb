import { setTimeout as sleep } from 'node:timers/promises';
import type { Job } from '@riskboard/contract';
import { ServerMessage } from '@riskboard/contract/schemas';
import { startProxy } from '@riskboard/testing';
import { type Disturbance, duringUploads, type FaultCase } from '../stage.ts';

/** Node's WebSocket accepts headers, which the browser type does not declare. */
const NodeWebSocket = WebSocket as unknown as new (
  url: string,
  init: { headers: Record<string, string> },
) => WebSocket;

/** What a client knows about jobs from the event socket alone. It connects again whenever its connection ends. */
async function watchJobs({ installation, organization }: Disturbance) {
  const origin = installation.origins[0] ?? '';
  const proxy = await startProxy(origin);
  const versions = new Map<string, number>();
  const states = new Map<string, string>();
  let older = 0;
  let closed = false;
  let socket: WebSocket | undefined;
  const note = (job: { _id: string; state: string; version: number }): void => {
    if ((versions.get(job._id) ?? 0) > job.version) older += 1;
    versions.set(job._id, Math.max(versions.get(job._id) ?? 0, job.version));
    states.set(job._id, job.state);
  };
  // As the web page does: what it missed while it had no connection, it reads once it has one again.
  const readAll = async (): Promise<void> => {
    const { body } = await organization.call('GET', '/jobs?pageSize=100');
    for (const job of (body['jobs'] ?? []) as Job[]) note(job);
  };
  const open = (): void => {
    if (closed) return;
    const { cookie } = organization;
    socket = new NodeWebSocket(`${proxy.through(origin).replace('http', 'ws')}api/events`, {
      headers: { cookie, origin },
    });
    socket.addEventListener('message', ({ data }) => {
      const message = ServerMessage.parse(JSON.parse(String(data)));
      if (message.type === 'snapshot') void readAll();
      if (message.type === 'job.updated') note(message.job);
    });
    socket.addEventListener('close', () => setTimeout(open, 100));
    socket.addEventListener('error', () => undefined);
  };
  open();
  return {
    proxy,
    older: () => older,
    /** Jobs whose last state the client does not know. */
    async unknown(): Promise<number> {
      const rows = await installation.admin<{ id: string; state: string }>(
        `select id, state from job where organization_id = $1 and kind in ('stix.parse', 'stix.extract')`,
        [organization.id],
      );
      return rows.filter(({ id, state }) => states.get(id) !== state).length;
    },
    async close() {
      closed = true;
      socket?.close();
      await proxy.close();
    },
  };
}

export const socketCases: readonly FaultCase[] = [
  {
    id: 'F11',
    fault: 'event socket cut four times during uploads',
    short: 'Redis',
    run: duringUploads(async (disturbance) => {
      const watched = await watchJobs(disturbance);
      for (let n = 0; n < 4; n += 1) {
        await sleep(200 + disturbance.random() * 300);
        await watched.proxy.cut();
        await watched.proxy.restore();
      }
      const until = Date.now() + 30_000;
      // The uploads go on meanwhile.
      await sleep(2000);
      let unknown = await watched.unknown();
      while (unknown > 0 && Date.now() < until) {
        await sleep(100);
        unknown = await watched.unknown();
      }
      await watched.close();
      const problems = unknown > 0 ? [`the client does not know the state of ${unknown} jobs`] : [];
      return { problems };
    }),
  },
];
