/** Alert rules of the demo organization: the inbox only, without mail. They exist before the report is imported. */
export const sampleAlertRules = [
  { kind: 'critical-vulnerability', name: 'New critical vulnerabilities' },
  { kind: 'asset-at-risk', name: 'Assets that become at risk' },
  { kind: 'import-failed', name: 'Failed imports' },
  { kind: 'score-above', name: 'Overall risk above 90', score: 'overall', threshold: 90 },
] as const;
