import { cwss, type CwssExplanation } from '@riskboard/contract';
import { queryOptions } from '@tanstack/react-query';
import { call } from '../api/call.ts';
import { isMissing } from '../api/errors.ts';

/**
 * How the newest score of a vulnerability came about, or that of an earlier version; null without a score. The key
 * begins with the noun, so that every change of vulnerabilities and vignettes refetches it.
 */
export const explanationQuery = (id: string, version?: number) =>
  queryOptions({
    queryKey: ['vulnerabilities', 'cwss', id, version ?? 'newest'],
    async queryFn({ signal }): Promise<CwssExplanation | null> {
      try {
        const query = version === undefined ? {} : { version };
        return await call(cwss.explanation, { params: { id }, query, signal });
      } catch (error) {
        if (isMissing(error)) return null;
        throw error;
      }
    },
  });
