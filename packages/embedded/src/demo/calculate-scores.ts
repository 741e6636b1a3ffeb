import { sampleFactors, sampleVignette } from '../../sample/organization/scoring.ts';
import type { ProgressBar } from './progress-bar.ts';
import { followJob } from './follow-job.ts';
import { call, type Session } from './session.ts';

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
  await followJob(session, jobId, ({ done, total }) => bar.show('calculating CWSS scores', done, total));
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
