import { createHash, randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Entry, Operation } from '../history.ts';
import { type Answer, json, reportWith } from './calls.ts';
import { listenForEvents } from './listen.ts';
import { openSession, type SoakSession } from './session.ts';

/** What all clients of a run share. */
export interface Crowd {
  origins: readonly string[];
  email: string;
  random: () => number;
  /** Milliseconds since the start of the run. */
  now(): number;
  write(entry: Entry): void;
  /** An id for the next operation. */
  nextId(): number;
  /** Objects of a large report, of which one in twenty has so many. */
  largeReport: number;
  /** Pause between two operations of a client, in milliseconds. */
  pauseMs: number;
  isOver(): boolean;
}

export interface Known {
  /** Names of files of this client and shared ones, with the id that was last seen. */
  files: Map<string, string>;
  records: Map<string, { id: string; version: number }>;
  jobs: string[];
}

type Draft = Omit<Operation, 'type' | 'id' | 'client' | 'invokedAt' | 'endedAt' | 'outcome' | 'status'>;

export interface Actor {
  crowd: Crowd;
  client: number;
  session: SoakSession;
  known: Known;
}

const sharedNames = 4;
const pick = <T>(random: () => number, list: readonly T[]): T | undefined =>
  list[Math.floor(random() * list.length)];

/** Makes a call and records it. @param read adds what the answer says */
async function record(
  { crowd, client, session }: Actor,
  draft: Draft,
  call: { path: string; init: RequestInit; read?: (answer: Answer) => Partial<Operation> },
): Promise<Answer> {
  const invokedAt = crowd.now();
  const answer = await session.send(call.path, call.init);
  crowd.write({
    type: 'operation',
    id: crowd.nextId(),
    client,
    ...draft,
    invokedAt,
    endedAt: crowd.now(),
    outcome: answer.outcome,
    status: answer.status,
    ...call.read?.(answer),
  });
  return answer;
}

/** Reads: nothing found is an answer. */
const found = (answer: Answer, fields: () => Partial<Operation>): Partial<Operation> => {
  if (answer.status === 404) return { outcome: 'acknowledged', version: null, value: null };
  return answer.outcome === 'acknowledged' ? fields() : {};
};

export interface Report {
  name: string;
  content: string;
  extract: string;
}

/** Uploads once and records the operation. */
export function uploadReport(actor: Actor, { name, content, extract }: Report): Promise<Answer> {
  const form = new FormData();
  form.set('stixFile', new Blob([content]), name);
  const sha256 = createHash('sha256').update(content).digest('hex');
  return record(
    actor,
    { action: 'upload', subject: name, sha256 },
    {
      path: `/reports/upload${extract === '' ? '' : `?extract=${extract}`}`,
      init: { method: 'POST', body: form },
      read: ({ body }) => ({ jobId: body['jobId'] as string | undefined }),
    },
  );
}

/** Uploads under an own or a shared name; some twice, as a client does that lost the answer. */
async function upload(actor: Actor): Promise<void> {
  const { crowd, client, known } = actor;
  const { random } = crowd;
  const isShared = random() < 0.4;
  const name = isShared
    ? `shared-${Math.floor(random() * sharedNames)}.json`
    : `client-${client}-${Math.floor(random() * 6)}.json`;
  const count = random() < 0.05 ? crowd.largeReport : 2 + Math.floor(random() * 8);
  const content = reportWith(count, Math.floor(random() * 80_000));
  const extract = pick(random, ['', 'vulnerabilities', 'vulnerabilities,threats']) ?? '';
  const times = random() < 0.15 ? 2 : 1;
  let answer: Answer | undefined;
  for (let n = 0; n < times || (answer?.outcome === 'unknown' && n < times + 1); n += 1)
    answer = await uploadReport(actor, { name, content, extract });
  if (answer?.outcome !== 'acknowledged') return;
  known.files.set(name, answer.body['_id'] as string);
  known.jobs.push(answer.body['jobId'] as string);
}

interface ListedFile {
  _id: string;
  originalFilename: string;
  sha256: string;
}

async function readFile(actor: Actor): Promise<void> {
  const { known, crowd } = actor;
  const name = pick(crowd.random, [...known.files.keys(), 'shared-0.json', 'shared-1.json']) ?? '';
  const fileOf = ({ body }: Answer) => (body['files'] as ListedFile[] | undefined)?.[0];
  const answer = await record(
    actor,
    { action: 'read file', subject: name },
    {
      path: `/reports/files?name=${encodeURIComponent(name)}`,
      init: {},
      read: (got) => found(got, () => ({ sha256: fileOf(got)?.sha256 ?? null })),
    },
  );
  const file = fileOf(answer);
  if (file) known.files.set(name, file._id);
}

async function deleteFile(actor: Actor): Promise<void> {
  const { known, crowd } = actor;
  const [name, id] = pick(crowd.random, [...known.files]) ?? [];
  if (name === undefined || id === undefined) return;
  known.files.delete(name);
  await record(
    actor,
    { action: 'delete file', subject: name },
    { path: `/reports/files/${id}`, init: { method: 'DELETE' } },
  );
}

async function extract(actor: Actor): Promise<void> {
  const { known, crowd } = actor;
  const [name, id] = pick(crowd.random, [...known.files]) ?? [];
  if (name === undefined) return;
  await record(
    actor,
    { action: 'extract', subject: name },
    {
      path: '/reports/extract',
      init: json('POST', { id }),
      read: ({ body }) => ({ jobId: body['jobId'] as string | undefined }),
    },
  );
}

async function createRecord(actor: Actor): Promise<void> {
  const name = `Soak record ${randomUUID()}`;
  const value = `created ${actor.crowd.nextId()}`;
  const answer = await record(
    actor,
    { action: 'create record', subject: name, value },
    {
      path: '/vulnerabilities',
      init: json('POST', { name, description: value, severity: 5 }),
      read: ({ body }) => ({
        recordId: body['_id'] as string | undefined,
        version: body['version'] as number | undefined,
      }),
    },
  );
  if (answer.outcome !== 'acknowledged') return;
  const { _id: id, version } = answer.body as { _id: string; version: number };
  actor.known.records.set(name, { id, version });
}

async function readRecord(actor: Actor): Promise<void> {
  const [name, row] = pick(actor.crowd.random, [...actor.known.records]) ?? [];
  if (name === undefined || row === undefined) return;
  await readRecordOf(actor, name, row.id);
}

async function readRecordOf(actor: Actor, name: string, id: string): Promise<void> {
  const answer = await record(
    actor,
    { action: 'read record', subject: name, recordId: id },
    {
      path: `/vulnerabilities/${id}`,
      init: {},
      read: (got) =>
        found(got, () => ({
          version: got.body['version'] as number,
          value: got.body['description'] as string,
        })),
    },
  );
  if (answer.outcome === 'acknowledged')
    actor.known.records.set(name, { id, version: answer.body['version'] as number });
  if (answer.status === 404) actor.known.records.delete(name);
}

async function editRecord(actor: Actor): Promise<void> {
  const { known, crowd } = actor;
  const [name, row] = pick(crowd.random, [...known.records]) ?? [];
  if (name === undefined || row === undefined) return;
  const value = `edit ${crowd.nextId()}`;
  const answer = await record(
    actor,
    { action: 'edit record', subject: name, recordId: row.id, base: row.version, value },
    {
      path: `/vulnerabilities/${row.id}`,
      init: json('PUT', { description: value }, { 'if-match': `"${row.version}"` }),
      read: ({ body }) => ({ version: body['version'] as number | undefined }),
    },
  );
  if (answer.outcome === 'acknowledged') {
    known.records.set(name, { id: row.id, version: answer.body['version'] as number });
    return;
  }
  await readRecordOf(actor, name, row.id);
}

async function deleteRecord(actor: Actor): Promise<void> {
  const [name, row] = pick(actor.crowd.random, [...actor.known.records]) ?? [];
  if (name === undefined || row === undefined) return;
  actor.known.records.delete(name);
  await record(
    actor,
    { action: 'delete record', subject: name, recordId: row.id },
    { path: `/vulnerabilities/${row.id}`, init: { method: 'DELETE' } },
  );
}

async function readJob(actor: Actor): Promise<void> {
  const id = actor.known.jobs.at(-1);
  if (id === undefined) return;
  await record(
    actor,
    { action: 'read job', subject: id },
    {
      path: `/jobs/${id}`,
      init: {},
      read: (got) => found(got, () => ({ version: got.body['version'] as number })),
    },
  );
}

/** Operations with their share of all. */
const mix = [
  [0.2, upload],
  [0.15, readFile],
  [0.06, deleteFile],
  [0.08, extract],
  [0.08, createRecord],
  [0.13, readRecord],
  [0.14, editRecord],
  [0.03, deleteRecord],
  [0.13, readJob],
] as const;

function choose(random: () => number): (actor: Actor) => Promise<void> {
  let left = random();
  for (const [share, operation] of mix) {
    left -= share;
    if (left < 0) return operation;
  }
  return readFile;
}

export async function openActor(
  crowd: Crowd,
  client: number,
  records: Known['records'] = new Map(),
): Promise<Actor> {
  const session = await openSession(crowd, client);
  return { crowd, client, session, known: { files: new Map(), records, jobs: [] } };
}

/** Runs one client until the end of the run. Records are shared: two clients edit the same ones. */
export async function runClient(crowd: Crowd, client: number, records: Known['records']): Promise<void> {
  const actor = await openActor(crowd, client, records);
  const { session, known } = actor;
  const events = listenForEvents(crowd, { client, session, onJob: (id) => known.jobs.push(id) });
  while (!crowd.isOver()) {
    await choose(crowd.random)(actor);
    await sleep(crowd.pauseMs * (0.5 + crowd.random()));
  }
  events.close();
}
