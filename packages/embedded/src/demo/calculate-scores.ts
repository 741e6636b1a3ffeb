import { setTimeout as sleep } from 'node:timers/promises';
import type { Job } from '@riskboard/contract';
import { sampleFactors, sampleVignette } from '../../sample/organization/scoring.ts';
import type { ProgressBar } from './progress-bar.ts';
import { call, type Session } from './session.ts';

const pollMs = 150;

/** Waits for a job and shows its progress. @throws when it fails */
async function follow(session: Session, id: string, bar: ProgressBar): Promise<void> {
  for (;;) {
    const { state, progress, error } = await call<Job>(session, { path: `/api/jobs/${id}` });
    if (state === 'succeeded') return;
    if (state === 'failed' || state === 'cancelled')
      throw new Error(error?.message ?? 'the calculation of CWSS scores was cancelled');
    bar.show('calculating CWSS scores', progress.done, progress.total);
    await sleep(pollMs, undefined, { signal: session.signal });
  }
}

/** Calculates the CWSS scores of all vulnerabilities with the sample vignette, then sets the factors of the analysts. */
export async function calculateScores(session: Session, bar: ProgressBar): Promise<void> {
  const vignette = await call<{ _id: string }>(session, {
    method: 'POST',
    path: '/api/reports/vignette',
    body: sampleVignette,
  });
  const { jobId } = await call<{ jobId: string }>(session, {
    method: 'POST',
    path: '/api/reports/vulnerability/calculateCwss/bulk',
    body: { filter: {}, vignetteId: vignette._id },
  });
  await follow(session, jobId, bar);
  for (const { cveId, factor, value, reason } of sampleFactors) {
    const { vulnerabilities } = await call<{ vulnerabilities: { _id: string }[] }>(session, {
      path: `/api/vulnerabilities?cveId=${cveId}`,
    });
    for (const { _id } of vulnerabilities)
      await call(session, {
        method: 'PUT',
        path: `/api/vulnerabilities/${_id}/cwss/factors`,
        body: { [factor]: { value, reason } },
      });
  }
}
