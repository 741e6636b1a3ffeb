import type { RecordNoun } from './record-queries.ts';

/** Pages of single records. */
export const recordPages = {
  vulnerabilities: '/dashboard/vulnerabilities/$id',
  threats: '/dashboard/threats/$id',
} as const satisfies Record<RecordNoun, string>;
