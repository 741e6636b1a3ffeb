import { setTimeout as sleep } from 'node:timers/promises';
import type { Job } from '@riskboard/contract';
import type { Client, Outcome } from './client.ts';
import type { HostileCase } from './suites.ts';

/** A way into the product. */
export interface Channel {
  name: string;
  /** Whether this input can be sent through it. */
  takes: (input: HostileCase) => boolean;
  send: (client: Client, input: HostileCase) => Promise<Outcome>;
}

/** Every input must be answered within this time (issue: 5 s). */
export const mostMs = 5000;
const pollMs = 50;
/** A job that does not end within this time counts as stuck. */
const stuckMs = 60_000;
const finals = new Set<Job['state']>(['succeeded', 'failed', 'cancelled']);

/** Line, column, byte, character, JSON pointer or object: what a message names. An encoding concerns the whole file. */
const location = /\b(?:line|column|byte|character|offset|position|object|level|root|encoded|encoding)\b|\//iu;

/** Waits until all jobs of a file have ended. A job that failed is a refusal; its message must name a location. */
async function jobOutcome(client: Client, fileId: string): Promise<Outcome> {
  for (const until = Date.now() + stuckMs; Date.now() < until; await sleep(pollMs)) {
    const { body } = await client.call('GET', `/jobs?fileId=${fileId}`);
    const { jobs } = body as { jobs: Job[] };
    if (jobs.length === 0 || jobs.some(({ state }) => !finals.has(state))) continue;
    const unsuccessful = jobs.filter(({ state }) => state !== 'succeeded');
    const failed = unsuccessful.find(({ kind }) => kind === 'stix.parse') ?? unsuccessful[0];
    if (!failed) return { kind: 'accepted', status: 201, message: '', body };
    const message = failed.error?.message ?? '';
    return { kind: location.test(message) ? 'refused' : 'unclear refusal', status: 201, message, body };
  }
  return { kind: 'server error', status: 201, message: `the job of file ${fileId} does not end`, body: null };
}

const report: Channel = {
  name: 'report',
  takes: ({ fileName }) => /\.(?:json|xml)$/iu.test(fileName),
  async send(client, input) {
    const outcome = await client.upload('/reports/upload?extract=vulnerabilities,threats', 'stixFile', input);
    if (outcome.kind !== 'accepted') return outcome;
    return jobOutcome(client, (outcome.body as { _id: string })._id);
  },
};

const vignette: Channel = {
  name: 'vignette',
  takes: ({ fileName, content }) => /\.json$/iu.test(fileName) && content.length < 2_000_000,
  send: (client, input) => client.upload('/reports/upload-vignette', 'vignetteFile', input),
};

const csv: Channel = {
  name: 'CSV import',
  takes: ({ content }) => content.length < 2_000_000,
  send: (client, { fileName, content }) =>
    client.upload('/imports?noun=assets', 'csvFile', { fileName: `${fileName}.csv`, content }),
};

/** Texts longer than this are sent as files only. */
const longestText = 20_000;

/** How a record of a noun is created with this text in its text fields. */
const creations = {
  assets: { path: (projectId: string) => `/assets?projectId=${projectId}`, fields: { assetTypeId: 2 } },
  threats: { path: () => '/threats', fields: {} },
  vulnerabilities: { path: () => '/vulnerabilities', fields: { categoryId: 1, severity: 5 } },
  projects: { path: () => '/projects', fields: { startDate: '2026-01-05' } },
} as const;

/** Sends the content as the name and description of a record and as the search, sort and a filter of its list. */
const texts = (noun: keyof typeof creations): Channel => ({
  name: `texts of ${noun}`,
  takes: ({ content }) => content.length > 0 && content.length < longestText,
  async send(client, { content }) {
    const text = content.toString('utf8');
    const search = new URLSearchParams({ search: text }).toString();
    const others = new URLSearchParams({ sort: text, name: text, pageSize: text }).toString();
    for (const query of [search, others]) {
      if (query.length >= longestText) continue;
      const list = await client.call('GET', `/${noun}?${query}`);
      if (list.kind !== 'accepted' && list.kind !== 'refused') return list;
    }
    const { path, fields } = creations[noun];
    const description = text.slice(0, 2000);
    return client.call('POST', path(client.projectId), { ...fields, name: text.slice(0, 100), description });
  },
});

export const channels: readonly Channel[] = [
  report,
  vignette,
  csv,
  texts('assets'),
  texts('threats'),
  texts('vulnerabilities'),
  texts('projects'),
];
