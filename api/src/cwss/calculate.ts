import {
  type Call,
  type cwss,
  type CwssCounts,
  cwssWaitMs,
  type JobPayload,
  type Vulnerability,
} from '@riskboard/contract';
import {
  insertJob,
  type JobRow,
  lockCalculationRequest,
  type OrganizationTransaction,
  selectJobs,
  vulnerabilitySource,
  withOrganization,
  withOrganizationSnapshot,
} from '@riskboard/db';
import { plural } from '@riskboard/domain';
import { sql } from 'kysely';
import type { Deps } from '../deps.ts';
import { acceptJob } from '../lib/accept-job.ts';
import { Failure } from '../lib/http/failure.ts';
import { preferredWait, waitForJob } from '../lib/http/prefer-wait.ts';
import type { Context } from '../lib/http/serve.ts';
import type { AfterCommit } from '../lib/publish.ts';
import type { Caller } from '../lib/security/caller.ts';
import { selectionOf } from '../records/bulk.ts';
import { presentRow } from '../records/present.ts';
import { vulnerabilityRules } from '../vulnerabilities/rules.ts';

/** The spec's toast for a calculation that failed without a message of its own. */
const fallback = 'Calculation failed';

interface Services {
  deps: Deps;
  after: AfterCommit;
}

/** @throws Failure 404 with `path`, to distinguish a missing vulnerability from a missing vignette */
async function requireRow(
  trx: OrganizationTransaction,
  table: 'vulnerability' | 'vignette',
  { path, id }: { path: 'id' | 'vignetteId'; id: string },
): Promise<void> {
  const known = await trx.selectFrom(table).select('id').where('id', '=', id).executeTakeFirst();
  if (known) return;
  const message = `This ${table} no longer exists.`;
  throw new Failure('not_found', message, { details: [{ path, message }] });
}

/**
 * The newest queued job that scores the vulnerability, when it does so with this vignette. It has read nothing yet. An earlier
 * one would be followed by a job with another vignette.
 */
async function queuedJob(
  trx: OrganizationTransaction,
  { id, vignetteId }: Call<typeof cwss.calculate>['body'],
): Promise<JobRow | undefined> {
  const newest = await selectJobs(trx)
    .select(sql<boolean>`(job.payload ->> 'vignetteId')::uuid = ${vignetteId}`.as('isSame'))
    .where('job.kind', '=', 'cwss.calculate')
    .where('job.state', '=', 'queued')
    .where('job.vulnerability_id', '=', id)
    .orderBy('job.id', 'desc')
    .limit(1)
    .executeTakeFirst();
  return newest?.isSame ? newest : undefined;
}

/** Queues a calculation; a second request for the same one gets the job that is queued already. */
async function queueOne(
  trx: OrganizationTransaction,
  context: Context<typeof cwss.calculate>,
): Promise<JobRow> {
  const { body, caller } = context;
  const { id, vignetteId } = body;
  await requireRow(trx, 'vulnerability', { path: 'id', id });
  await requireRow(trx, 'vignette', { path: 'vignetteId', id: vignetteId });
  await lockCalculationRequest(trx, id.toLowerCase());
  return (
    (await queuedJob(trx, body)) ??
    insertCalculation(trx, caller, { payload: { vignetteId, ids: [id] }, vulnerabilityId: id })
  );
}

async function insertCalculation(
  trx: OrganizationTransaction,
  { organizationId, accountId }: Caller,
  job: { payload: JobPayload<'cwss.calculate'>; vulnerabilityId?: string },
): Promise<JobRow> {
  const id = await insertJob(trx, { ...job, kind: 'cwss.calculate', organizationId, createdBy: accountId });
  return selectJobs(trx).where('job.id', '=', id).executeTakeFirstOrThrow();
}

/** The message of a calculation that ended without a score; undefined for one that has not ended. */
function failureOf({ state, result, error_message: message }: JobRow): string | undefined {
  if (state === 'failed') return message ?? fallback;
  if (state === 'cancelled') return 'The calculation was cancelled.';
  const counts = result as CwssCounts | null;
  if (state !== 'succeeded' || counts?.cwssScore !== undefined) return undefined;
  return counts?.skipped[0]?.reason ?? fallback;
}

/** 200 with the score when the job ends in time, else 202 with the job. @throws Failure 404, 409 */
export async function calculateOne({ deps, after }: Services, context: Context<typeof cwss.calculate>) {
  const { caller, body, request, reply } = context;
  const { organizationId } = caller;
  const job = await withOrganization(deps.database, organizationId, (trx) => queueOne(trx, context));
  await after.jobsQueued([job]);
  const preferred = preferredWait(request);
  const ended = await waitForJob(
    deps.database,
    { organizationId, id: job.id },
    { request, seconds: preferred || cwssWaitMs / 1000 },
  );
  if (preferred > 0) reply.header('preference-applied', `wait=${preferred}`);
  if (ended?.state === 'succeeded' || ended?.state === 'failed' || ended?.state === 'cancelled') {
    // A vulnerability that was deleted in the meantime is 404, also when its job succeeded.
    const { row } = await withOrganizationSnapshot(deps.database, organizationId, async (trx) => {
      await requireRow(trx, 'vulnerability', { path: 'id', id: body.id });
      return vulnerabilityRules.find(trx, body.id);
    });
    const failure = failureOf(ended);
    if (failure !== undefined) throw new Failure('conflict', failure);
    const vulnerability = presentRow(vulnerabilityRules, row) as unknown as Vulnerability;
    const { cwssScore = 0 } = ended.result as CwssCounts;
    return { vulnerability, cwssScore, message: 'Calculation applied' };
  }
  reply.status(202).header('location', `/api/jobs/${job.id}`);
  return { jobId: job.id, message: 'Recalculation started' };
}

/** One job for all selected vulnerabilities; unknown ids are ignored. @throws Failure 404 for an unknown vignette */
export async function calculateMany(
  services: Services,
  { caller, body, request, reply }: Context<typeof cwss.calculateMany>,
) {
  const { vignetteId, ...requested } = body;
  const job = await withOrganization(services.deps.database, caller.organizationId, async (trx) => {
    const selection = await selectionOf(trx, vulnerabilitySource, requested);
    if (vignetteId !== undefined) await requireRow(trx, 'vignette', { path: 'vignetteId', id: vignetteId });
    const vignette = vignetteId === undefined ? {} : { vignetteId };
    return insertCalculation(trx, caller, { payload: { ...vignette, ...selection } });
  });
  return acceptJob(services, {
    request,
    reply,
    job,
    kind: 'cwss.calculate',
    message: 'Recalculation started',
    done: (result) => ({ result, message: `${plural(result.changed, 'score')} calculated.` }),
  });
}
