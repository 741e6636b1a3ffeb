import { assets } from '@riskboard/contract';
import { queryOptions } from '@tanstack/react-query';
import { call } from '../../../lib/api/call.ts';

/** What an asset depends on, by name. */
export const hierarchyQuery = (id: string) =>
  queryOptions({
    queryKey: ['assets', 'hierarchy', id],
    queryFn: ({ signal }) => call(assets.hierarchy, { params: { id }, signal }),
  });

/** What depends on an asset, and the open vulnerabilities that reach it. */
export const blastRadiusQuery = (id: string) =>
  queryOptions({
    queryKey: ['assets', 'blast-radius', id],
    queryFn: ({ signal }) => call(assets.blastRadius, { params: { id }, signal }),
  });
