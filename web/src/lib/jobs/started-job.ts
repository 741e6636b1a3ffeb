/** The id of the job that a reply names. A call without `Prefer: wait` is always answered with the job. */
export function startedJob(reply: object): string {
  if ('jobId' in reply && typeof reply.jobId === 'string') return reply.jobId;
  throw new Error('Unexpected response format');
}
