import type { WebSocket } from '@fastify/websocket';
import { closeCodes, mostInSnapshot } from '@riskboard/contract';
import { presentJob, selectJobs, withOrganization } from '@riskboard/db';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Deps } from '../deps.ts';
import { requireAccess } from '../lib/security/access.ts';
import type { Caller } from '../lib/security/caller.ts';
import { Failure } from '../lib/http/failure.ts';
import { isForeign } from '../lib/security/origin.ts';
import { createHub } from './hub.ts';
import { eventSocket } from './socket.ts';
import { watchCredentials } from './watch.ts';

/** How long shutdown waits for sockets to close. */
const closeTimeoutMs = 1000;

/** `GET /api/events`: hello, snapshot, then the events of the caller's organization (contract, Jobs and events). */
export function eventRoutes(app: FastifyInstance, deps: Deps): void {
  const { database, relay } = deps;
  const hub = createHub(relay, (err) => app.log.warn({ err }, 'unsubscribe failed'));
  const watch = watchCredentials(deps, (err) => app.log.warn({ err }, 'sessions of sockets not checked'));
  app.addHook('onClose', async () => {
    watch.close();
    await hub.close();
  });
  app.addHook('preClose', async () => {
    // A suspended browser does not answer a close frame.
    setTimeout(() => {
      for (const socket of app.websocketServer.clients) socket.terminate();
    }, closeTimeoutMs).unref();
  });

  const unfinishedJobs = (caller: Caller) =>
    withOrganization(database, caller.organizationId, (trx) =>
      selectJobs(trx)
        .where('job.state', 'in', ['queued', 'running'])
        .orderBy('job.created_at')
        .limit(mostInSnapshot)
        .execute(),
    );

  async function stream(raw: WebSocket, caller: Caller): Promise<void> {
    const socket = eventSocket(raw);
    const leaving: (() => void)[] = [];
    let closed = false;
    const leave = () => {
      closed = true;
      for (const step of leaving.splice(0)) step();
    };
    raw.on('close', leave);
    leaving.push(await hub.join({ organizationId: caller.organizationId, deliver: socket.deliver }));
    leaving.push(await watch.add(caller, () => socket.close(closeCodes.sessionEnded, 'session ended')));
    if (closed) return leave();
    const jobs = await unfinishedJobs(caller);
    socket.open([{ type: 'hello' }, { type: 'snapshot', jobs: jobs.map(presentJob) }]);
  }

  app.route({
    method: 'GET',
    url: '/api/events',
    schema: { hide: true },
    onRequest: refuseForeign,
    preParsing: requireAccess({ access: 'viewer' }),
    handler: () => {
      throw new Failure('malformed', 'This is a WebSocket: connect with ws:// or wss://.');
    },
    wsHandler(raw, request) {
      const { caller } = request;
      if (!caller) return raw.close(closeCodes.sessionEnded, 'no session');
      stream(raw, caller).catch((err: unknown) => {
        request.log.warn({ err }, 'event stream not started');
        raw.close(1011, 'try again');
      });
    },
  });
}

/** Browsers send their origin in the handshake; a foreign one is refused before the upgrade. */
async function refuseForeign(request: FastifyRequest): Promise<void> {
  if (isForeign(request)) throw new Failure('foreign_origin');
}
