import { cwss, vignettes, type CwssExplanation, type CwssResult } from '@riskboard/contract';
import { queryOptions } from '@tanstack/react-query';
import { call } from '../../../../lib/api/call.ts';
import { isMissing } from '../../../../lib/api/errors.ts';

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

/** The score that another vignette would give now. */
export const previewQuery = (id: string, vignetteId: string) =>
  queryOptions({
    queryKey: ['vulnerabilities', 'cwss-preview', id, vignetteId],
    queryFn: ({ signal }): Promise<CwssResult> =>
      call(cwss.preview, { params: { id }, query: { vignetteId }, signal }),
  });

/** Vignettes that a choice shows at once; others are found by search. */
const mostVignettes = 100;

/** Vignettes to choose from, by name. */
export const vignetteChoicesQuery = (search: string) =>
  queryOptions({
    queryKey: ['vignettes', 'choices', search],
    queryFn: ({ signal }) =>
      call(vignettes.list, {
        query: { pageSize: mostVignettes, sort: 'name', ...(search !== '' && { search }) },
        signal,
      }),
  });
