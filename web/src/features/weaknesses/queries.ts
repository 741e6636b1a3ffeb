import { cwe } from '@riskboard/contract';
import { queryOptions } from '@tanstack/react-query';
import { call } from '../../lib/api/call.ts';

/** The catalogue that the organization uses, and the versions that it can choose. */
export const catalogueQuery = () =>
  queryOptions({
    queryKey: ['weaknesses', 'catalogue'],
    queryFn: ({ signal }) => call(cwe.catalogue, { signal }),
  });

/** An entry of the catalogue with the vulnerabilities that carry it; unlike the panel's, events refresh it. */
export const weaknessQuery = (id: string) =>
  queryOptions({
    queryKey: ['weaknesses', 'one', id],
    queryFn: ({ signal }) => call(cwe.get, { params: { id }, signal }),
  });
