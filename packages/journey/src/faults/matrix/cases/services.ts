import { setTimeout as sleep } from 'node:timers/promises';
import { Redis } from 'ioredis';
import type { Installation } from '../../../installation/installation.ts';
import { type Disturbance, type Disturbed, duringUploads, type FaultCase } from '../stage.ts';
import { type Acknowledged, newReport } from '../organization.ts';

const onlyRedis = { PostgreSQL: 'no Redis' } as const;
/** A call that is answered later than this has failed, also on a busy machine. */
const answeredMs = 10_000;

const redisOf = ({ redis }: Installation) => {
  if (!redis) throw new Error('this installation has no Redis');
  return redis;
};

async function withRedis(
  installation: Installation,
  work: (client: Redis) => Promise<unknown>,
): Promise<void> {
  const client = new Redis(redisOf(installation).server.url);
  try {
    await work(client);
  } finally {
    client.disconnect();
  }
}

/** Uploads while the queue does not answer: the job rows are stored, so each upload must be acknowledged. */
async function uploadWithoutQueue({ organization }: Disturbance): Promise<Disturbed> {
  const problems: string[] = [];
  const uploads: Acknowledged[] = [];
  for (const n of [1, 2, 3]) {
    const name = `without-queue-${n}.json`;
    const { status, body, ms } = await organization.tryUpload(name, newReport(), n);
    if (status === 201) uploads.push({ name, fileId: String(body['_id']), ms, badAnswers: [] });
    else problems.push(`an upload was answered ${status} after ${Math.round(ms)} ms`);
  }
  return { problems, uploads, slowestMs: Math.max(...uploads.map(({ ms }) => ms)) };
}

/** Calls while PostgreSQL does not answer: 503 with Retry-After, and never 500 or a wrong answer. */
async function callWithoutDatabase({ installation, organization }: Disturbance): Promise<Disturbed> {
  const calls = ['/auth/me', '/vulnerabilities', '/reports/files', '/jobs'].flatMap((url) =>
    [0, 1].map((api) => ({ url, api })),
  );
  const answers = await Promise.all(
    calls.map(({ url, api }) => organization.call('GET', url, { api, timeoutMs: answeredMs })),
  );
  const problems = answers.flatMap(({ status, retryAfter }, n) =>
    status === 503 && retryAfter !== null
      ? []
      : [`GET ${calls[n]?.url} was answered ${status}, Retry-After ${retryAfter}`],
  );
  const ended = [...installation.apis, ...installation.workers].filter((program) => !program.runs());
  if (ended.length > 0) problems.push(`${ended.length} processes ended`);
  return { problems, slowestMs: Math.max(...answers.map(({ ms }) => ms)) };
}

const redisAway = (
  begin: (installation: Installation) => unknown,
  end: (installation: Installation) => unknown,
): FaultCase['run'] =>
  duringUploads(async (disturbance) => {
    await begin(disturbance.installation);
    const disturbed = await uploadWithoutQueue(disturbance);
    await end(disturbance.installation);
    return disturbed;
  });

export const serviceCases: readonly FaultCase[] = [
  {
    id: 'F5',
    fault: 'Redis killed and started again with its data',
    not: onlyRedis,
    run: duringUploads(async ({ installation }) => {
      await redisOf(installation).server.kill();
      await redisOf(installation).server.start();
    }),
  },
  {
    id: 'F6',
    fault: 'Redis loses all its data',
    not: onlyRedis,
    run: duringUploads(({ installation }) => withRedis(installation, (client) => client.flushall())),
  },
  {
    id: 'F7',
    fault: 'Redis away: connections are refused',
    not: onlyRedis,
    run: redisAway(
      (installation) => redisOf(installation).cut(),
      (installation) => redisOf(installation).restore(),
    ),
  },
  {
    id: 'F7',
    fault: 'Redis frozen',
    not: onlyRedis,
    run: redisAway(
      (installation) => redisOf(installation).server.freeze(),
      (installation) => redisOf(installation).server.thaw(),
    ),
  },
  {
    id: 'F7',
    fault: 'network to Redis silent',
    not: onlyRedis,
    run: redisAway(
      (installation) => redisOf(installation).freeze(),
      (installation) => redisOf(installation).restore(),
    ),
  },
  {
    id: 'F8',
    fault: 'PostgreSQL ends at once and recovers',
    short: 'PostgreSQL',
    run: duringUploads(({ installation }) => installation.database.crash()),
  },
  {
    id: 'F8',
    fault: 'PostgreSQL away: connections are refused',
    short: 'Redis',
    run: duringUploads(async (disturbance) => {
      await disturbance.installation.database.cut();
      const disturbed = await callWithoutDatabase(disturbance);
      await disturbance.installation.database.restore();
      return disturbed;
    }),
  },
  {
    id: 'F9',
    fault: 'network to PostgreSQL silent',
    short: 'PostgreSQL',
    run: duringUploads(async (disturbance) => {
      disturbance.installation.database.freeze();
      const disturbed = await callWithoutDatabase(disturbance);
      await disturbance.installation.database.restore();
      return disturbed;
    }),
  },
  {
    id: 'F9',
    fault: 'open connections to PostgreSQL silent, new ones work',
    short: 'PostgreSQL',
    run: duringUploads(({ installation }) => {
      installation.database.dropSilently();
      return sleep(2000);
    }),
  },
  {
    id: 'F23',
    fault: 'Redis has no memory left',
    not: onlyRedis,
    run: redisAway(
      (installation) => withRedis(installation, (client) => client.config('SET', 'maxmemory', '1mb')),
      (installation) => withRedis(installation, (client) => client.config('SET', 'maxmemory', '0')),
    ),
  },
];
