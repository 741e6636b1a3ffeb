import { setTimeout as sleep } from 'node:timers/promises';
import { bundle, manyVulnerabilities, threat, type StixObject } from '@riskboard/worker/testing/stix2';
import { type Answer, patientClient, type PatientClient } from './patient-client.ts';

type Row = Record<string, unknown>;

const password = 'correct horse battery staple';
const listOf = ({ body }: Answer): Row[] =>
  (Object.values(body).find((value) => Array.isArray(value)) ?? []) as Row[];

/** A creation whose answer was lost is looked up by its name before it is repeated. */
async function create(client: PatientClient, noun: string, body: Row & { name: string }): Promise<string> {
  const before = await client.call('GET', `/${noun}?search=${encodeURIComponent(body.name)}`);
  const found = listOf(before).find(({ name }) => name === body.name);
  if (found) return found['_id'] as string;
  const created = await client.call('POST', `/${noun}`, { body });
  if (created.status === 201) return created.body['_id'] as string;
  throw new Error(`${noun} was answered with ${created.status}: ${JSON.stringify(created.body)}`);
}

async function upload(
  client: PatientClient,
  { name, objects, query }: { name: string; objects: StixObject[]; query: string },
): Promise<string> {
  const body = new FormData();
  body.set('stixFile', new Blob([bundle(objects)]), name);
  const answer = await client.call('POST', `/reports/upload${query}`, { body });
  if (answer.status !== 201) throw new Error(`${name} was answered with ${answer.status}.`);
  return answer.body['_id'] as string;
}

/** Waits until no job is unfinished; restarts failed ones, as a user does. */
async function jobsEnd(client: PatientClient): Promise<void> {
  for (let tries = 0; tries < 400; tries += 1) {
    const failed = listOf(await client.call('GET', '/jobs?state=failed'));
    for (const { _id } of failed) await client.call('POST', `/jobs/${String(_id)}/retry`);
    const { body } = await client.call('GET', '/jobs?state=queued&state=running');
    if (failed.length === 0 && body['total'] === 0) return;
    await sleep(100);
  }
  throw new Error('Jobs did not end.');
}

/** Edits one field; after a lost answer the newest version shows whether the edit was made. */
async function edit(client: PatientClient, id: string, description: string): Promise<void> {
  for (let tries = 0; tries < 10; tries += 1) {
    const { body } = await client.call('GET', `/vulnerabilities/${id}`);
    if (body['description'] === description) return;
    await client.call('PUT', `/vulnerabilities/${id}`, {
      body: { description },
      version: body['version'] as number,
    });
  }
  throw new Error('The edit was not made.');
}

const pick = (rows: readonly Row[], fields: readonly string[]) =>
  rows
    .map((row) => Object.fromEntries(fields.map((field) => [field, row[field]])))
    .toSorted((a, b) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1));

/** What a user sees at the end, without ids and times. */
async function visible(client: PatientClient) {
  const list = async (path: string, fields: readonly string[]) =>
    pick(listOf(await client.call('GET', path)), fields);
  return {
    vulnerabilities: await list('/vulnerabilities?pageSize=100', [
      'name',
      'cveId',
      'severity',
      'status',
      'version',
    ]),
    threats: await list('/threats?pageSize=100', ['name', 'version']),
    assets: await list('/assets', ['name', 'version']),
    projects: await list('/projects', ['name', 'version']),
    files: await list('/reports/files', [
      'originalFilename',
      'parseState',
      'vulnerabilityCount',
      'threatCount',
      'size',
    ]),
    batches: await list('/batches', ['name', 'status', 'files', 'states', 'created', 'issues']),
  };
}

/** What the journey leaves, and the status of every answer. */
export interface JourneyResult {
  visible: Awaited<ReturnType<typeof visible>>;
  statuses: number[];
}

/** The main flow: sign up, project and asset, uploads with extraction, edit, delete, replace, batch. */
export async function functionalJourney(origins: readonly string[], email: string): Promise<JourneyResult> {
  const client = patientClient(origins);
  const account = { email, password };
  const signup = await client.call('POST', '/auth/signup', { body: { ...account, firstName: 'Ada' } });
  // After a lost answer the account exists.
  if (signup.status >= 400) await client.call('POST', '/auth/login', { body: account });
  const projectId = await create(client, 'projects', {
    name: 'Harbour',
    description: 'Cranes and locks',
    startDate: '2026-01-05',
  });
  await create(client, 'assets', { name: 'Crane', description: 'At the quay', assetTypeId: 1, projectId });
  const manual = { name: 'Weak password', description: 'first', severity: 8 };
  const vulnerability = await create(client, 'vulnerabilities', { ...manual, name: 'Weak password' });
  const obsolete = await create(client, 'vulnerabilities', { ...manual, name: 'Obsolete' });

  await upload(client, {
    name: 'north.json',
    objects: [...manyVulnerabilities(12), threat({ name: 'Gull' })],
    query: '?extract=vulnerabilities,threats',
  });
  const south = await upload(client, {
    name: 'south.json',
    objects: manyVulnerabilities(6, 10_006),
    query: '',
  });
  const removed = await upload(client, {
    name: 'removed.json',
    objects: manyVulnerabilities(4, 20_000),
    query: '?extract=vulnerabilities',
  });
  await jobsEnd(client);
  await client.call('POST', '/reports/extract-vulnerability', { body: { id: south } });
  await edit(client, vulnerability, 'second');
  await edit(client, vulnerability, 'third');
  await client.call('DELETE', `/vulnerabilities/${obsolete}`);
  await jobsEnd(client);
  await client.call('DELETE', `/reports/files/${removed}`);

  const known = listOf(await client.call('GET', '/batches')).find(({ name }) => name === 'Weekly');
  const batch =
    known?.['_id'] ??
    (await client.call('POST', '/batches', { body: { name: 'Weekly', files: 3, bytes: 3000 } })).body['_id'];
  for (const n of [1, 2, 3])
    await upload(client, {
      name: `batch-${n}.json`,
      objects: manyVulnerabilities(3, 30_000 + 10 * n),
      query: `?extract=vulnerabilities&batch=${String(batch)}`,
    });
  await jobsEnd(client);
  return { visible: await visible(client), statuses: client.statuses };
}
