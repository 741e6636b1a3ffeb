import { threats, vulnerabilities } from '@riskboard/contract';
import { queryOptions } from '@tanstack/react-query';
import { call } from './api/call.ts';

/** The two nouns whose records come from reports and from people. */
export type RecordNoun = 'vulnerabilities' | 'threats';

const calls = { vulnerabilities, threats } as const;

/** All of one vulnerability. */
export const vulnerabilityQuery = (id: string) =>
  queryOptions({
    queryKey: ['vulnerabilities', 'detail', id],
    queryFn: ({ signal }) => call(vulnerabilities.get, { params: { id }, signal }),
  });

/** All of one threat. */
export const threatQuery = (id: string) =>
  queryOptions({
    queryKey: ['threats', 'detail', id],
    queryFn: ({ signal }) => call(threats.get, { params: { id }, signal }),
  });

/** What each report says of a record, the one that counts first. */
export const recordSourcesQuery = (noun: RecordNoun, id: string) =>
  queryOptions({
    queryKey: [noun, 'sources', id],
    queryFn: ({ signal }) => call(calls[noun].sources, { params: { id }, signal }),
  });

/** A record, its related assets, and what else concerns those. */
export const recordGraphQuery = (noun: RecordNoun, id: string) =>
  queryOptions({
    queryKey: [noun, 'graph', id],
    queryFn: ({ signal }) => call(calls[noun].graph, { params: { id }, signal }),
  });
