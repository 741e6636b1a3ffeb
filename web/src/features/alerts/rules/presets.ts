import type { AlertRule } from '@riskboard/contract';

/** Rules that most organizations need, offered until they are added. */
export const presets = [
  { name: 'New critical vulnerabilities', kind: 'critical-vulnerability' },
  { name: 'Assets at risk', kind: 'asset-at-risk' },
  { name: 'Failed imports', kind: 'import-failed' },
  { name: 'Overall risk above 70', kind: 'score-above', score: 'overall', threshold: 70 },
  { name: 'Nothing imported for a week', kind: 'nothing-imported', days: 7 },
] as const satisfies readonly (Pick<AlertRule, 'name' | 'kind'> &
  Partial<Pick<AlertRule, 'score' | 'threshold' | 'days'>>)[];
