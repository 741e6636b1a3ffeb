import { type Job, jobKindLabel, jobPhase, jobs } from '@riskboard/contract';
import { CliError, exits, type Run } from '../command.ts';
import { type ApiOptions, openApi } from '../server/api.ts';
import { textTable } from '../terminal/text-table.ts';

type JobsOptions = ApiOptions & {
  failed: { type: 'boolean'; help: string };
  limit: { type: 'string'; help: string };
  json: { type: 'boolean'; help: string };
};

function readLimit(text: string | undefined): number {
  const limit = Number(text ?? 50);
  if (Number.isInteger(limit) && limit >= 1 && limit <= 500) return limit;
  throw new CliError('--limit must be a whole number from 1 to 500.', exits.usage);
}

/** What became of a job, in one phrase. */
export function outcomeOf(job: Job): string {
  if (job.error) return job.error.message;
  if (job.state === 'running') {
    const { phase, done, total } = job.progress;
    const percent = total > 0 ? ` ${Math.floor((done / total) * 100)} %` : '';
    return `${jobPhase(job.kind, phase)?.label ?? phase}${percent}`;
  }
  if (!job.result) return '';
  const counts = Object.entries(job.result).filter(([, value]) => typeof value === 'number' && value > 0);
  return counts.map(([name, value]) => `${name} ${value as number}`).join(', ');
}

/** Lists jobs, the newest first. */
export const listJobs: Run<JobsOptions> = async ({ options, io }) => {
  const query = new URLSearchParams({ pageSize: String(readLimit(options.limit)) });
  if (options.failed) query.set('state', 'failed');
  const api = await openApi(options, io);
  const reply = await api.get<{ jobs: Job[]; total: number }>(`${jobs.list.path}?${query.toString()}`);
  if (options.json) {
    io.stdout.writeJson({ jobs: reply.jobs, total: reply.total }, 2);
    return exits.done;
  }
  if (reply.jobs.length === 0) {
    io.stdout.write(options.failed ? 'No job has failed.\n' : 'There are no jobs.\n');
    return exits.done;
  }
  const rows = reply.jobs.map((job) => [
    job.createdAt.slice(0, 19).replace('T', ' '),
    job.state,
    jobKindLabel(job.kind),
    job.fileName ?? '',
    outcomeOf(job),
    job._id,
  ]);
  io.stdout.write(textTable(['requested (UTC)', 'state', 'job', 'file', 'result', 'id'], rows));
  if (reply.total > reply.jobs.length)
    io.stdout.write(`${reply.jobs.length} of ${reply.total} jobs; --limit N shows more.\n`);
  return exits.done;
};
