import websocket, { type WebSocket } from '@fastify/websocket';
import { closeCodes, sessionEndedTopic } from '@riskboard/contract';
import { presentJob, selectJobs, withOrganization } from '@riskboard/db';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { findSession } from '../sessions/sessions.ts';
import type { Deps } from '../deps.ts';
import { requireAccess } from '../lib/access.ts';
import type { Caller } from '../lib/caller.ts';
import { Failure } from '../lib/failure.ts';
import { isForeign } from '../lib/origin.ts';
import { createHub } from './hub.ts';
import { type EventSocket, eventSocket } from './socket.ts';

/** The relay tells of an ended session at once; this is for what it missed, and for removed members. */
const recheckEveryMs = 30_000;
/** How long a process that ends waits for its sockets to say goodbye. */
const farewellMs = 1000;

/** `GET /api/events`: hello, snapshot, then what changes in the caller's organisation (contract, Jobs and events). */
export async function eventRoutes(app: FastifyInstance, { database, relay }: Deps): Promise<void> {
  await app.register(websocket, { options: { maxPayload: 16 * 1024, perMessageDeflate: false } });
  const hub = createHub(relay, (err) => app.log.warn({ err }, 'unsubscribe failed'));
  app.addHook('onClose', () => hub.close());
  app.addHook('preClose', async () => {
    // A browser that sleeps does not answer a close.
    setTimeout(() => {
      for (const socket of app.websocketServer.clients) socket.terminate();
    }, farewellMs).unref();
  });

  const unfinishedJobs = (caller: Caller) =>
    withOrganization(database, caller.organizationId, (trx) =>
      selectJobs(trx)
        .where('job.state', 'in', ['queued', 'running'])
        .orderBy('job.created_at')
        .limit(1000)
        .execute(),
    );

  async function isLive({ sessionId, organizationId }: Caller): Promise<boolean> {
    const found = await findSession(database, sessionId);
    return found?.user.organizationId === organizationId;
  }

  /** Ends the socket when its session does; returns how to stop watching. */
  async function watchSession(caller: Caller, socket: EventSocket): Promise<() => void> {
    const end = () => socket.close(closeCodes.sessionEnded, 'session ended');
    const unsubscribe = await relay.subscribe(sessionEndedTopic(caller.sessionId), end);
    const timer = setInterval(() => {
      isLive(caller)
        .then((live) => (live ? undefined : end()))
        .catch((err: unknown) => app.log.warn({ err }, 'session not re-checked'));
    }, recheckEveryMs);
    return () => {
      clearInterval(timer);
      unsubscribe().catch((err: unknown) => app.log.warn({ err }, 'unsubscribe failed'));
    };
  }

  async function stream(raw: WebSocket, caller: Caller): Promise<void> {
    const socket = eventSocket(raw);
    const leaving: (() => void)[] = [];
    let gone = false;
    const leave = () => {
      gone = true;
      for (const step of leaving.splice(0)) step();
    };
    raw.on('close', leave);
    leaving.push(await hub.join({ organizationId: caller.organizationId, deliver: socket.deliver }));
    leaving.push(await watchSession(caller, socket));
    if (gone) return leave();
    // It may have ended between the handshake and the subscription.
    if (!(await isLive(caller))) return socket.close(closeCodes.sessionEnded, 'session ended');
    const jobs = await unfinishedJobs(caller);
    socket.open([{ type: 'hello' }, { type: 'snapshot', jobs: jobs.map(presentJob) }]);
  }

  app.route({
    method: 'GET',
    url: '/api/events',
    schema: { hide: true },
    onRequest: [refuseForeign, requireAccess({ access: 'viewer' })],
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

/** Browsers name their origin at the handshake; one that is not ours is refused before the upgrade. */
async function refuseForeign(request: FastifyRequest): Promise<void> {
  if (isForeign(request)) throw new Failure('foreign_origin');
}
