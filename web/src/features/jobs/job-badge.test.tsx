import { render, screen } from '@testing-library/react';
import { expect, test } from 'vitest';
import { extractResultOf, jobOf, parseResultOf } from '../../testing/rows.ts';
import { JobBadge } from './job-badge.tsx';

const badgeOf = (change: Parameters<typeof jobOf>[0]) => {
  render(<JobBadge job={jobOf(change)} />);
  return screen.getByText(/^(?:Done|Failed|Cancelled)$/u);
};

test.each([
  [
    'a report with objects that were not readable',
    '3 issues',
    { state: 'succeeded', result: parseResultOf({ failed: 1, warnings: 2 }) },
  ],
  [
    'an extraction that skipped a record',
    '1 skipped',
    { kind: 'stix.extract', state: 'succeeded', result: extractResultOf({ skipped: 1 }) },
  ],
] as const)('%s is amber and says how many issues it has', (_what, text, change) => {
  const badge = badgeOf(change);
  expect(badge.textContent).toBe('Done');
  expect(screen.getByText(text)).toBeDefined();
  // The number is not part of the label, which would take several lines in a narrow column.
  expect(badge.className).toContain('text-warning');
  expect(badge.className).not.toContain('success');
  expect(badge.querySelector('svg')).not.toBeNull();
});

test.each([
  ['Done', 'text-success', { state: 'succeeded', result: parseResultOf({ failed: 0, warnings: 0 }) }],
  ['Failed', 'text-danger', { state: 'failed', error: { code: 'x', message: 'Line 3.' } }],
  ['Cancelled', 'text-muted', { state: 'cancelled' }],
] as const)('a job without issues is shown as %s', (text, style, change) => {
  const badge = badgeOf(change);
  expect(badge.textContent).toBe(text);
  expect(badge.className).toContain(style);
});
