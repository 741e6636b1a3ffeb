import type { Job } from '@riskboard/contract';
import { useEffect, useState } from 'react';
import { rateOf, sampled, type Sample } from './job-rate.ts';

/** Units a second of a running job, from what it said while it was shown; null while nobody can say. */
export function useJobRate(job: Job): number | null {
  const [samples, setSamples] = useState<readonly Sample[]>([]);
  const running = job.state === 'running';
  useEffect(() => {
    setSamples((before) => (running ? sampled(before, job, Date.now()) : []));
  }, [job, running]);
  return rateOf(samples);
}
