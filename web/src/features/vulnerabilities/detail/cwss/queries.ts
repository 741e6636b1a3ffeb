import { cwss, vignettes, type CwssResult } from '@riskboard/contract';
import { queryOptions } from '@tanstack/react-query';
import { call } from '../../../../lib/api/call.ts';

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
