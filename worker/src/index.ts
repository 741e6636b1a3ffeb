export type { Deps } from './deps.ts';
export { sweep } from './housekeeping/sweep.ts';
export { handlers } from './jobs/handlers.ts';
export { runJob } from './jobs/run/run-job.ts';
export { startWorker } from './worker.ts';
