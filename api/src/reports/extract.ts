import { formatCount } from '@riskboard/domain';
import type { ExtractKind, ExtractResult } from '@riskboard/contract';
import { insertJob, type JobRow, lockParse, selectJobs, withOrganization } from '@riskboard/db';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Deps } from '../deps.ts';
import { acceptJob } from '../lib/accept-job.ts';
import { recordActivity } from '../lib/activity/record-activity.ts';
import type { Caller } from '../lib/security/caller.ts';
import { Failure } from '../lib/http/failure.ts';
import type { AfterCommit } from '../lib/publish.ts';

interface ExtractRequest {
  fileId: string;
  kinds: ExtractKind[];
  /** The message of the specification for a failure without a message of its own. */
  fallback: string;
}

/** Queues an extraction; while the report is being read, it waits for the parse. */
async function queueExtraction(deps: Deps, caller: Caller, wanted: ExtractRequest): Promise<JobRow> {
  return withOrganization(deps.database, caller.organizationId, async (trx) => {
    const locked = await lockParse(trx, wanted.fileId);
    if (!locked) throw new Failure('not_found');
    const { file, parse } = locked;
    const reading = parse?.state === 'queued' || parse?.state === 'running';
    if (!reading && file.object_count === null) {
      throw new Failure(
        'conflict',
        `${wanted.fallback}: the report could not be read. ${parse?.error_message ?? ''}`.trim(),
      );
    }
    const id = await insertJob(trx, {
      kind: 'stix.extract',
      payload: { fileId: file.id, kinds: wanted.kinds },
      organizationId: caller.organizationId,
      fileId: file.id,
      createdBy: caller.accountId,
      ...(reading ? { waitsFor: file.parse_job_id } : {}),
    });
    await recordActivity(trx, caller, {
      action: 'report.extraction-requested',
      nounId: file.id,
      name: file.name,
      detail: { kinds: wanted.kinds },
    });
    return selectJobs(trx).where('job.id', '=', id).executeTakeFirstOrThrow();
  });
}

const labels: Record<ExtractKind, string> = { vulnerabilities: 'Vulnerabilities', threats: 'Threats' };

/** The spec's toast: '{Vulnerabilities|Threats} extracted: N were extracted from the file.' */
const message = (kinds: ExtractKind[], result: ExtractResult): string =>
  `${kinds.map((kind) => labels[kind]).join(' and ')} extracted: ${formatCount(result.created)} ${result.created === 1 ? 'was' : 'were'} extracted from the file.`;

/** 202 with the job, or with `Prefer: wait` 200 with the result when the job ends in time. */
export async function extract(
  services: { deps: Deps; after: AfterCommit },
  { caller, request, reply }: { caller: Caller; request: FastifyRequest; reply: FastifyReply },
  wanted: ExtractRequest,
) {
  const job = await queueExtraction(services.deps, caller, wanted);
  return acceptJob(services, {
    request,
    reply,
    job,
    kind: 'stix.extract',
    message: 'Extraction started.',
    done: (result) => ({ result, message: message(wanted.kinds, result) }),
    failed: wanted.fallback,
  });
}
