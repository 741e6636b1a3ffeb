import { calculateOne } from '@riskboard/db';
import type { CwssExplanation } from '@riskboard/contract';
import { asWorker } from './fakes/as-worker.ts';
import type { Person } from './person.ts';
import type { TestApi } from './start-api.ts';

interface Calculation {
  id: string;
  vignetteId: string;
  /** Null for an automatic calculation. */
  by?: string | null;
  cause?: 'calculated' | 'automatic';
}

/** Calculates a score as the job does, since api tests run no worker. */
export const calculateScore = (
  api: TestApi,
  person: Person,
  { id, vignetteId, by = person.user._id, cause = 'calculated' }: Calculation,
): Promise<unknown> =>
  asWorker(api, person).inside((trx) =>
    calculateOne(trx, {
      vulnerabilityId: id,
      vignetteId,
      by,
      jobId: null,
      cause,
    }),
  );

/** Reads the explanation of a score. */
export const explanationOf = async (person: Person, id: string, query = ''): Promise<CwssExplanation> =>
  (await person.get(`/api/vulnerabilities/${id}/cwss${query}`)).json<CwssExplanation>();
