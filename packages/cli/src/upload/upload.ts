import { type Batch, type BatchFile, extractKinds, type Job } from '@riskboard/contract';
import { CliError, exits, type Run } from '../command.ts';
import { outcomeOf } from '../jobs/jobs.ts';
import { type Api, type ApiOptions, openApi } from '../server/api.ts';
import { progressLine, sizeText } from '../terminal/progress.ts';
import { oneLine } from '../terminal/terminal-output.ts';
import { closeBatch, followBatch, mostSingleFiles, openBatch, resultsOf } from './batch.ts';
import { findFiles, type FoundFile } from './find-files.ts';
import { followJobs } from './follow-jobs.ts';
import { sendFile, type Uploaded } from './send-file.ts';

type UploadOptions = ApiOptions & {
  extract: { type: 'string'; help: string };
  watch: { type: 'boolean'; help: string };
  json: { type: 'boolean'; help: string };
};

/** As many as the web sends at once. */
const atOnce = 3;
/** Milliseconds that a command which ends early waits for its batch to be closed. */
const closeWithinMs = 2000;

interface Outcome {
  file: FoundFile;
  uploaded?: Uploaded;
  /** Why it was not uploaded, or could not be followed to the end. */
  error?: string;
  jobs?: Job[];
  /** Its result in the batch; with --watch. */
  result?: BatchFile;
}

interface Sending {
  extract: string;
  batchId: string | undefined;
  signal: AbortSignal;
  onSent: (file: FoundFile, bytes: number) => void;
}

function readExtract(text: string | undefined): string {
  const kinds = (text ?? '').split(',').filter(Boolean);
  const unknown = kinds.find((kind) => !(extractKinds as readonly string[]).includes(kind));
  if (unknown === undefined) return kinds.join(',');
  throw new CliError(`--extract must be ${extractKinds.join(' or ')}, or both, not ${unknown}.`, exits.usage);
}

/** Sends all files, several at once, in their order; a file that is refused does not stop the others. */
async function sendAll(
  api: Api,
  outcomes: readonly Outcome[],
  { extract, batchId, signal, onSent }: Sending,
): Promise<void> {
  const waiting = outcomes.values();
  async function sendNext(): Promise<void> {
    for (const outcome of waiting) {
      try {
        outcome.uploaded = await sendFile(api, outcome.file, {
          extract,
          batchId,
          onSent: (bytes) => onSent(outcome.file, bytes),
        });
      } catch (error) {
        // Ctrl-C, a wrong token or an address without a server ends the upload of every file.
        if (signal.aborted || !(error instanceof CliError) || error.exitCode !== exits.failed) throw error;
        outcome.error = error.message;
      }
    }
  }
  // All of them end before an error is reported: what is still being sent belongs to the batch.
  const endings = await Promise.allSettled(Array.from({ length: atOnce }, sendNext));
  for (const ending of endings) if (ending.status === 'rejected') throw ending.reason;
}

/**
 * Sends all files and closes their batch, also when the upload ends early: the batch has the files that were received.
 * @throws CliError that names the batch when it could not be closed, as with a token that has expired
 */
async function sendBatch(api: Api, files: readonly FoundFile[], sending: Sending): Promise<Outcome[]> {
  const { batchId } = sending;
  const outcomes = files.map((file): Outcome => ({ file }));
  if (batchId === undefined) {
    await sendAll(api, outcomes, sending);
    return outcomes;
  }
  try {
    await sendAll(api, outcomes, sending);
    await closeBatch(api, batchId);
    return outcomes;
  } catch (error) {
    const isClosed = await closeBatch(api, batchId, { signal: AbortSignal.timeout(closeWithinMs) }).then(
      () => true,
      () => false,
    );
    if (isClosed || !(error instanceof CliError)) throw error;
    throw new CliError(`${error.message} ${openBatchText(api, batchId, outcomes)}`, error.exitCode, error);
  }
}

/** What is left of a batch that could not be closed, and how to end it. */
function openBatchText(api: Api, batchId: string, outcomes: readonly Outcome[]): string {
  const received = outcomes.filter(({ uploaded }) => uploaded !== undefined).length;
  const page = `${api.address}/dashboard/batches/${batchId}`;
  return received === outcomes.length
    ? `All ${received} files were received.`
    : `${received} of ${outcomes.length} files were received, and their batch may wait for the others. To end it, choose "Finish without them" at ${page}, then upload the files again.`;
}

/** Why uploading, reading or extracting a file failed; null when it did not, or is not known. */
function failureOf({ error, jobs = [], result }: Outcome): string | null {
  if (error !== undefined) return error;
  if (result?.state === 'failed' || result?.state === 'cancelled')
    return result.message ?? `the file was ${result.state}`;
  const job = jobs.find(({ state }) => state !== 'succeeded');
  return job === undefined ? null : (job.error?.message ?? `the job was ${job.state}`);
}

function resultText({ jobs = [], result }: Outcome): string {
  if (result === undefined) return jobs.map(outcomeOf).filter(Boolean).join('; ');
  if (result.state === 'queued' || result.state === 'running') return result.state;
  const { created, updated, unchanged, skipped, issues } = result;
  const counts = `created ${created}, updated ${updated}, unchanged ${unchanged}, skipped ${skipped}`;
  return issues === 0 ? counts : `${counts}, ${issues} ${issues === 1 ? 'issue' : 'issues'}`;
}

function describe(outcome: Outcome): string {
  const { file, uploaded } = outcome;
  const failure = failureOf(outcome);
  if (!uploaded || failure !== null) return `failed    ${file.shown}: ${failure}`;
  const results = resultText(outcome);
  return `${uploaded.action.padEnd(8)}  ${file.shown}${results && `: ${results}`}`;
}

const present = (outcome: Outcome) => ({
  path: outcome.file.path,
  name: outcome.file.name,
  size: outcome.file.size,
  action: outcome.uploaded?.action ?? null,
  fileId: outcome.uploaded?._id ?? null,
  jobId: outcome.uploaded?.jobId ?? null,
  error: failureOf(outcome),
  ...(outcome.jobs && { jobs: outcome.jobs }),
  ...(outcome.result && { result: outcome.result }),
});

interface Watching {
  outcomes: readonly Outcome[];
  extracts: boolean;
  batchId: string | undefined;
  signal: AbortSignal;
  progress: ReturnType<typeof progressLine>;
}

/** Follows the jobs of every uploaded file. @returns the totals of the batch, if it is one */
async function watch(api: Api, { outcomes, batchId, ...watching }: Watching): Promise<Batch | undefined> {
  const { extracts, signal, progress } = watching;
  if (batchId !== undefined) {
    const batch = await followBatch(api, batchId, {
      signal,
      onProgress: (done, all) => progress.show(`${done} of ${all} files read and extracted`, done, all),
    });
    const results = await resultsOf(api, batchId);
    for (const outcome of outcomes) {
      const result = results.get(outcome.uploaded?._id ?? '');
      if (result !== undefined) outcome.result = result;
    }
    return batch;
  }
  for (const [n, outcome] of outcomes.entries()) {
    if (!outcome.uploaded) continue;
    const jobs = await followJobs(api, outcome.uploaded, {
      extracts,
      signal,
      onProgress: (job) =>
        progress.show(
          `file ${n + 1} of ${outcomes.length}, ${outcome.file.name}: ${outcomeOf(job) || job.state}`,
          job.progress.done,
          job.progress.total,
        ),
    });
    if (jobs) outcome.jobs = jobs;
    else outcome.error = 'The report was deleted before its jobs had ended.';
  }
  return undefined;
}

/** Uploads reports, and with --watch follows their jobs to the end. */
export const upload: Run<UploadOptions> = async ({ operands, options, io }) => {
  const extract = readExtract(options.extract);
  const files = await findFiles(operands, io.folder);
  const api = await openApi(options, io);
  const progress = progressLine(io);
  const total = files.reduce((sum, { size }) => sum + size, 0);
  const sent = new Map<FoundFile, number>();
  let done = 0;
  try {
    const batchId = files.length > mostSingleFiles ? await openBatch(api, files) : undefined;
    const { signal } = io;
    const outcomes = await sendBatch(api, files, {
      extract,
      batchId,
      signal,
      onSent(file, bytes) {
        done += bytes - (sent.get(file) ?? 0);
        sent.set(file, bytes);
        progress.show(`${sent.size} of ${files.length} files, ${sizeText(done)}, ${file.name}`, done, total);
      },
    });
    const batch = options.watch
      ? await watch(api, { outcomes, extracts: extract !== '', batchId, signal, progress })
      : undefined;
    progress.clear();
    const failed = outcomes.filter((outcome) => failureOf(outcome) !== null).length;
    if (options.json)
      io.stdout.writeJson(
        {
          files: outcomes.map(present),
          failed,
          ...(batchId !== undefined && { batchId, ...(batch && { batch }) }),
        },
        2,
      );
    else
      io.stdout.write(
        `${outcomes.map((outcome) => `${oneLine(describe(outcome))}\n`).join('')}${files.length - failed} of ${files.length} files, ${sizeText(total)}.${batchId === undefined ? '' : ` Batch ${batchId}.`}\n`,
      );
    return failed > 0 ? exits.failed : exits.done;
  } finally {
    progress.clear();
  }
};
