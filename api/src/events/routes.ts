import { formatCount } from '@riskboard/domain';
import type { WebSocket } from '@fastify/websocket';
import { closeCodes, mostInSnapshot, type ServerMessage } from '@riskboard/contract';
import { isShownJob, presentJob, selectShownJobs, withOrganization } from '@riskboard/db';
import { sql } from 'kysely';
import type { FastifyBaseLogger, FastifyInstance, FastifyRequest } from 'fastify';
import type { Deps } from '../deps.ts';
import { requireAccess } from '../lib/security/access.ts';
import type { Caller } from '../lib/security/caller.ts';
import { Failure } from '../lib/http/failure.ts';
import { isForeign } from '../lib/security/origin.ts';
import { overviewMetrics } from '../overview/metrics.ts';
import { createHub } from './hub.ts';
import { recordedChanges } from './recorded-changes.ts';
import { shareReads } from './share-reads.ts';
import { type EventSocket, eventSocket, type SocketEnd } from './socket.ts';
import { watchCredentials } from './watch.ts';

/** How long shutdown waits for sockets to close. */
const closeTimeoutMs = 1000;
const handshakesPerMinute = 240;
/** Tabs beyond this number show no live changes until others are closed. Counted in each process. */
const mostSocketsOfPerson = 20;

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Handshakes of WebSockets are accepted. */
    acceptsSocket?: true;
  }
}

const encode = (message: ServerMessage): Buffer => Buffer.from(JSON.stringify(message));
const hello = encode({ type: 'hello' });

/** `GET /api/events`: hello, snapshot, then the events of the caller's organization (contract, Jobs and events). */
export function eventRoutes(
  app: FastifyInstance,
  deps: Deps,
  countEnd: (code: number) => void = () => undefined,
): void {
  const { database, relay } = deps;
  const hub = createHub({
    relay,
    readMetrics: (organizationId) => withOrganization(database, organizationId, overviewMetrics),
    readChanges: (recent) => recordedChanges(database, recent),
    onError: (err) =>
      app.outages.report(err, 'live numbers not sent, lost events not found, or subscription not ended'),
  });
  const watch = watchCredentials(deps, (err) =>
    app.outages.report(err, 'could not check the sessions of open sockets'),
  );
  app.addHook('onClose', async () => {
    watch.close();
    await hub.close();
  });
  const sockets = new Set<EventSocket>();
  const slots = socketSlots();
  app.addHook('preClose', async () => {
    for (const socket of sockets) socket.close(1001, 'shutdown');
    // A suspended browser does not answer a close frame.
    setTimeout(() => {
      for (const socket of app.websocketServer.clients) socket.terminate();
    }, closeTimeoutMs).unref();
  });

  const unfinishedJobs = (organizationId: string) =>
    withOrganization(database, organizationId, (trx) =>
      selectShownJobs(trx)
        .where('job.state', 'in', ['queued', 'running'])
        .where(sql.raw<boolean>(isShownJob))
        // As the job list sorts by `-state`: running before queued, then by id, which begins with the time.
        .orderBy('job.state', 'desc')
        .orderBy('job.id', 'desc')
        .limit(mostInSnapshot)
        .execute(),
    );

  /** After a restart every browser of an organization reconnects: those that wait share one snapshot. */
  const snapshotOf = shareReads(async (organizationId) => {
    const jobs = await unfinishedJobs(organizationId);
    return encode({ type: 'snapshot', jobs: jobs.map(presentJob) });
  });

  async function stream(raw: WebSocket, caller: Caller): Promise<void> {
    const logged = logEnd(app.log, caller);
    const socket = eventSocket(raw, (end) => {
      countEnd(end.code);
      logged(end);
    });
    sockets.add(socket);
    const leaving: (() => void)[] = [() => sockets.delete(socket)];
    let closed = false;
    const leave = () => {
      closed = true;
      for (const step of leaving.splice(0)) step();
    };
    raw.on('close', leave);
    try {
      leaving.push(await hub.join({ organizationId: caller.organizationId, deliver: socket.deliver }));
      if (closed) return leave();
      leaving.push(await watch.add(caller, () => socket.close(closeCodes.sessionEnded, 'session ended')));
      if (closed) return leave();
      const snapshot = await snapshotOf(caller.organizationId);
      if (!closed) socket.open([hello, snapshot]);
    } catch (error) {
      leave();
      throw error;
    }
  }

  app.route({
    method: 'GET',
    url: '/api/events',
    schema: { hide: true },
    onRequest: refuseForeign,
    preParsing: requireAccess({ access: 'viewer' }),
    preHandler: slots.take,
    // Not counted by the rate limit of calls: after a restart of the api every tab reconnects, repeatedly after
    // failures.
    config: { rateLimit: { max: handshakesPerMinute, timeWindow: '1 minute' }, acceptsSocket: true },
    handler: () => {
      throw new Failure('malformed', 'This address accepts WebSocket connections only (ws:// or wss://).');
    },
    wsHandler(raw, request) {
      const { caller } = request;
      if (!caller) return raw.close(closeCodes.sessionEnded, 'no session');
      stream(raw, caller).catch((err: unknown) => {
        app.outages.report(err, 'event stream not started');
        raw.close(1011, 'try again');
      });
    },
  });
}

/** Logs why a stream ended; a client that was cut off, with what it had not read. */
function logEnd(log: FastifyBaseLogger, { organizationId, accountId }: Caller): (end: SocketEnd) => void {
  const since = performance.now();
  return (end) => {
    const seconds = Math.round((performance.now() - since) / 1000);
    const level = end.code === closeCodes.tooSlow ? 'warn' : 'info';
    log[level]({ ...end, seconds, organizationId, accountId }, 'event stream ended');
  };
}

/** Limits the sockets of each person. A slot is held until the connection closes, even if the handshake fails. */
function socketSlots() {
  const used = new Map<string, number>();
  return {
    async take({ caller, ws, raw }: FastifyRequest): Promise<void> {
      if (!caller || !ws) return;
      const { accountId } = caller;
      const count = used.get(accountId) ?? 0;
      if (count >= mostSocketsOfPerson)
        throw new Failure(
          'too_many',
          `You have ${formatCount(count)} live connections open. Close other tabs.`,
        );
      used.set(accountId, count + 1);
      raw.socket.once('close', () => {
        const left = (used.get(accountId) ?? 1) - 1;
        if (left > 0) used.set(accountId, left);
        else used.delete(accountId);
      });
    },
  };
}

/** Browsers send their origin in the handshake; a foreign one is refused before the upgrade. */
async function refuseForeign(request: FastifyRequest): Promise<void> {
  if (isForeign(request)) throw new Failure('foreign_origin');
}
