import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { bundle, manyVulnerabilities, threat } from '@riskboard/worker/testing/stix2';
import type { Installation } from '../../installation/installation.ts';
import { repeatUnavailable } from '../../support/repeat-unavailable.ts';

const password = 'correct horse battery staple';
/** Vulnerabilities of each report; it has one threat too. */
export const perReport = 40;
/** A client gives up after this long, and a job that has not ended after it is stuck. */
const patienceMs = 120_000;

/** An upload that was acknowledged. */
export interface Acknowledged {
  name: string;
  fileId: string;
  /** Until the acknowledgement, of the try that succeeded. */
  ms: number;
  /** Answers 5xx other than 503 with Retry-After, and 500 in particular. */
  badAnswers: number[];
}

export interface Answer {
  status: number;
  retryAfter: string | null;
  body: Record<string, unknown>;
  ms: number;
}

/** What a case left, compared with what was acknowledged. */
export interface Left {
  lost: number;
  doubled: number;
  stuck: number;
}

/** An organization of one case, and its client, which repeats refused calls as the contract requires. */
export interface Organization {
  id: string;
  cookie: string;
  call(
    method: string,
    url: string,
    options?: { body?: object; api?: number; timeoutMs?: number },
  ): Promise<Answer>;
  /** One try, without a repetition. */
  tryUpload(name: string, content: string, api?: number): Promise<Answer>;
  /** One upload, repeated while it is refused with Retry-After, no sooner than that says, for at most two minutes. */
  patientUpload(name: string, content: string, api?: number): Promise<Answer>;
  /** Repeats an upload until it is acknowledged. @throws after two minutes */
  upload(name: string, content?: string): Promise<Acknowledged>;
  /** Waits until no job is unfinished, for at most two minutes. @returns differences from what was acknowledged */
  settle(uploads: readonly Acknowledged[]): Promise<Left>;
  /**
   * Waits until no unfinished job has been started twice, for at most two minutes: a job whose third worker is killed too fails.
   */
  endOfTwiceTried(): Promise<void>;
  jobs(): Promise<StoredJob[]>;
}

/** A job that reads a report or extracts from it. */
interface StoredJob {
  kind: string;
  state: string;
  attempt: number;
  tries: number;
  file_id: string;
}

let reports = 0;
/** A report with its own vulnerabilities and threat. */
export function newReport(): string {
  reports += 1;
  const numbers = manyVulnerabilities(perReport, 10_000 + reports * perReport);
  return bundle([...numbers, threat({ name: `Threat ${reports}` })]);
}

const retryable = (status: number): boolean =>
  status === 0 || status === 503 || status === 507 || status === 429;

export async function openOrganization(installation: Installation): Promise<Organization> {
  async function send(api: number, url: string, init: RequestInit & { timeoutMs?: number }): Promise<Answer> {
    const began = performance.now();
    const signal = AbortSignal.timeout(init.timeoutMs ?? 20_000);
    try {
      const answer = await fetch(`${installation.origins[api % installation.origins.length]}/api${url}`, {
        ...init,
        signal,
      });
      const text = await answer.text();
      const body = (text.startsWith('{') ? JSON.parse(text) : {}) as Record<string, unknown>;
      return {
        status: answer.status,
        retryAfter: answer.headers.get('retry-after'),
        body,
        ms: performance.now() - began,
      };
    } catch {
      return { status: 0, retryAfter: null, body: {}, ms: performance.now() - began };
    }
  }
  const origin = installation.origins[0] ?? '';
  const email = `faults-${randomUUID()}@example.org`;
  const signedUp = await repeatUnavailable(() =>
    fetch(`${origin}/api/auth/signup`, {
      method: 'POST',
      headers: { origin, 'content-type': 'application/json' },
      body: JSON.stringify({ email, password, firstName: 'Ada', organization: 'Northquay' }),
    }),
  );
  if (signedUp.status !== 201) throw new Error(`sign-up: ${signedUp.status} ${await signedUp.text()}`);
  const { user } = (await signedUp.json()) as { user: { organizationId: string } };
  const cookie = signedUp.headers
    .getSetCookie()
    .map((line) => line.split(';')[0])
    .join('; ');
  const id = user.organizationId;
  const headersFor = (api: number) => ({
    origin: installation.origins[api % installation.origins.length] ?? '',
    cookie,
  });

  const jobs: Organization['jobs'] = () =>
    installation.admin(
      `select kind, state, attempt, tries, file_id from job
       where organization_id = $1 and kind in ('stix.parse', 'stix.extract')`,
      [id],
    );

  const isUnfinished = ({ state }: StoredJob) => state === 'queued' || state === 'running';

  /** Waits until no job `counts`, for at most two minutes. @returns how many still do */
  async function untilNone(counts: (job: StoredJob) => boolean): Promise<number> {
    const until = Date.now() + patienceMs;
    for (;;) {
      const count = (await jobs()).filter(counts).length;
      if (count === 0 || Date.now() >= until) return count;
      await sleep(100);
    }
  }

  async function tryUpload(name: string, content: string, api = 0) {
    const form = new FormData();
    form.set('stixFile', new Blob([content]), name);
    return send(api, '/reports/upload?extract=vulnerabilities,threats', {
      method: 'POST',
      headers: headersFor(api),
      body: form,
    });
  }

  async function patientUpload(name: string, content: string, api = 0) {
    const until = Date.now() + patienceMs;
    for (;;) {
      const answer = await tryUpload(name, content, api);
      const refused = answer.status === 503 || answer.status === 429;
      const pauseMs = Number(answer.retryAfter) * 1000;
      if (!refused || pauseMs <= 0 || Date.now() + pauseMs > until) return answer;
      await sleep(pauseMs);
    }
  }

  return {
    id,
    cookie,
    jobs,
    tryUpload,
    patientUpload,
    call: (method, url, { body, api = 0, timeoutMs } = {}) =>
      send(api, url, {
        method,
        headers: { ...headersFor(api), ...(body ? { 'content-type': 'application/json' } : {}) },
        ...(body ? { body: JSON.stringify(body) } : {}),
        ...(timeoutMs === undefined ? {} : { timeoutMs }),
      }),
    async upload(name, content = newReport()) {
      const badAnswers: number[] = [];
      const until = Date.now() + patienceMs;
      for (let api = reports; Date.now() < until; api += 1) {
        const { status, body, ms, retryAfter } = await tryUpload(name, content, api);
        if (status === 201) return { name, fileId: String(body['_id']), ms, badAnswers };
        if (!retryable(status) || (status === 503 && retryAfter === null)) badAnswers.push(status);
        await sleep(150);
      }
      throw new Error(`${name} was not acknowledged within ${patienceMs / 1000} s: ${badAnswers.join()}`);
    },
    async endOfTwiceTried() {
      await untilNone((job) => isUnfinished(job) && job.tries > 1);
    },
    async settle(uploads) {
      const stuck = await untilNone(isUnfinished);
      return { ...(await differences(installation, id, uploads)), stuck };
    },
  };
}

/** Counts what is missing from, and what exceeds, the rows that the acknowledged uploads must have. */
async function differences(
  installation: Installation,
  organizationId: string,
  uploads: readonly Acknowledged[],
) {
  const names = [...new Set(uploads.map(({ name }) => name))];
  const [counts] = await installation.admin<Record<string, string>>(
    `select
       (select count(*) from report_file f where organization_id = $1 and name = any($2)
          and exists (select from job where organization_id = $1 and file_id = f.id and kind = 'stix.extract' and state = 'succeeded')) as files,
       (select count(*) from vulnerability where organization_id = $1) as vulnerabilities,
       (select count(*) from threat where organization_id = $1) as threats,
       (select count(*) from report_record where organization_id = $1) as records`,
    [organizationId, names],
  );
  const expected = {
    files: names.length,
    vulnerabilities: names.length * perReport,
    threats: names.length,
    records: names.length * (perReport + 1),
  };
  let lost = 0;
  let doubled = 0;
  for (const [what, count] of Object.entries(expected)) {
    const difference = Number(counts?.[what] ?? 0) - count;
    if (difference < 0) lost -= difference;
    else doubled += difference;
  }
  return { lost, doubled };
}
