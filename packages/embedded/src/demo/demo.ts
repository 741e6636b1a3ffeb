import { randomBytes } from 'node:crypto';
import { Client } from 'pg';
import { sampleAlertRules } from '../../sample/organization/alert-rules.ts';
import { sampleRemediation } from '../../sample/organization/remediation.ts';
import { sampleProjects } from '../../sample/organization/projects.ts';
import { calculateScores } from './calculate-scores.ts';
import { createProjects } from './create-projects.ts';
import { saveDatabaseSettings } from '../data/data-folder.ts';
import { followJob } from './follow-job.ts';
import { importSample } from './import-sample.ts';
import { demoEmail } from './incomplete-demo.ts';
import { type ProgressBar, progressBar } from './progress-bar.ts';
import { print } from '../startup/print.ts';
import { call, type Session } from './session.ts';
import { writeExampleHistory } from './write-example-history.ts';
import { writeExampleOverview } from './write-example-overview.ts';

export interface Demo {
  /** URL of the API on this machine. */
  base: string;
  /** The origin that the API accepts writes from. */
  origin: string;
  /** The address to print. */
  shown: string;
  adminUrl: string;
  /** The data folder. */
  folder: string;
  signal: AbortSignal;
}

async function withDatabase<Result>(
  { adminUrl }: Demo,
  run: (client: Client) => Promise<Result>,
): Promise<Result> {
  const client = new Client({ connectionString: adminUrl });
  await client.connect();
  try {
    return await run(client);
  } finally {
    await client.end();
  }
}

const isEmpty = (demo: Demo): Promise<boolean> =>
  withDatabase(demo, async (client) => {
    const { rows } = await client.query<{ found: boolean }>('select exists (select from account) as found');
    return rows[0]?.found === false;
  });

/** @returns the session's cookies, as a browser would send them back. */
async function signUp(demo: Demo, password: string): Promise<string> {
  const reply = await fetch(`${demo.base}/api/auth/signup`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', origin: demo.origin },
    body: JSON.stringify({
      email: demoEmail,
      password,
      firstName: 'Demo',
      organization: 'Demo organization',
    }),
    signal: demo.signal,
  });
  if (!reply.ok) throw new Error(`signing up answered ${reply.status}: ${await reply.text()}`);
  return reply.headers
    .getSetCookie()
    .map((cookie) => cookie.split(';', 1)[0])
    .join('; ');
}

/** Ends the session of the import, so that the user's list of sessions shows no unknown one. */
async function signOut(demo: Demo, cookie: string): Promise<void> {
  await fetch(`${demo.base}/api/auth/logout`, {
    method: 'POST',
    headers: { origin: demo.origin, cookie },
    signal: demo.signal,
  });
}

/** Compares the invented numbers of the overview with a recount. @throws when they differ */
async function checkNumbers(session: Session, bar: ProgressBar): Promise<void> {
  const { jobId } = await call<{ jobId: string }>(session, {
    method: 'POST',
    path: '/api/overview/recompute',
  });
  const { result } = await followJob(session, jobId, ({ done, total }) =>
    bar.show('checking the numbers of the overview', done, total),
  );
  if (result && 'repaired' in result && result.repaired !== 0)
    throw new Error('the numbers of the overview differ from a recount');
}

/**
 * Creates alert rules, imports the sample report, creates the projects and assets that its records concern, scores the vulnerabilities with a
 * vignette of its own, and writes an invented year of scores and remediation. @returns what to print
 */
async function fillOrganization(demo: Demo, session: Session, bar: ProgressBar): Promise<string> {
  for (const body of sampleAlertRules)
    await call(session, { method: 'POST', path: '/api/alerts/rules', body });
  const { vulnerabilities, threats } = await importSample(session, bar);
  const assets = await createProjects(session, sampleProjects, bar);
  await calculateScores(session, bar);
  await withDatabase(demo, async (client) => {
    await writeExampleHistory(client, sampleProjects, assets);
    const { rows } = await client.query<{ id: string }>('select organization_id as id from organization');
    for (const { id } of rows) await writeExampleOverview(client, id, sampleRemediation);
  });
  await checkNumbers(session, bar);
  return `Sample report imported: ${vulnerabilities} vulnerabilities, ${threats} threats. Created ${sampleProjects.length} projects with ${assets.size} assets.`;
}

/**
 * On the first run with an empty embedded database, creates a demo organization: the bundled report, projects and
 * assets, through the public API and the real queue. Its login is printed first, so that an interruption does not lose it.
 * If that fails, it prints the reason and the product keeps running; the next start makes an organization that is not
 * complete again (removeIncompleteDemo).
 */
export async function runDemo(demo: Demo): Promise<void> {
  if (!(await isEmpty(demo))) return;
  const password = randomBytes(12).toString('base64url');
  const bar = progressBar(process.stdout);
  try {
    await saveDatabaseSettings(demo.folder, { demoIncomplete: true });
    const cookie = await signUp(demo, password);
    print(
      `\n  ${demo.shown}  (demo organization)\n  Email        ${demoEmail}  (demo account)\n  Password     ${password}  (shown this once)\n`,
    );
    bar.end(await fillOrganization(demo, { ...demo, cookie }, bar));
    await signOut(demo, cookie);
    await saveDatabaseSettings(demo.folder, { demoIncomplete: undefined });
  } catch (error) {
    const failure = error instanceof Error ? error.message : String(error);
    bar.end(
      `The demo organization is not complete: ${demo.signal.aborted ? 'Riskboard was stopped' : failure}. If it is not used, the next start makes it again with a new password.`,
    );
  }
}
