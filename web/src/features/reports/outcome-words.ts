import type { Outcome } from '@riskboard/contract';

/** What became of an object or record that is not in the lists, as a person would say it. */
export const outcomeWords = {
  unmapped: { word: 'Not extracted', tone: 'neutral' },
  failed: { word: 'Failed', tone: 'danger' },
  revoked: { word: 'Revoked', tone: 'warning' },
  deprecated: { word: 'Deprecated', tone: 'warning' },
  superseded: { word: 'Superseded', tone: 'info' },
} as const satisfies Record<Outcome, { word: string; tone: string }>;
