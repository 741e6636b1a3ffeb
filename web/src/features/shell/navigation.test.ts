import { expect, test } from 'vitest';
import { partOf } from './navigation.ts';

test.each([
  ['/dashboard/overview', 'Overview'],
  ['/dashboard', 'Projects'],
  ['/dashboard/projects', 'Projects'],
  ['/dashboard/projects/0199f000-0000-7000-8000-000000000001/edit', 'Projects'],
  ['/dashboard/vulnerabilities', 'Vulnerabilities'],
  ['/dashboard/vulnerabilities/new', 'Vulnerabilities'],
  ['/dashboard/threats/0199f000-0000-7000-8000-000000000001/edit', 'Threats'],
  ['/dashboard/reports/0199f000-0000-7000-8000-000000000001', 'Files'],
  ['/dashboard/reports/threats', 'Threat data'],
  ['/dashboard/report', 'Risk report'],
  ['/dashboard/reports/vignettes/0199f000-0000-7000-8000-000000000001/edit', 'Vignettes'],
  ['/dashboard/weaknesses/79', 'Weaknesses'],
  ['/dashboard/cwss', 'CWSS calculator'],
  ['/dashboard/settings/profile', 'Settings'],
  ['/dashboard/reportsandmore', undefined],
  ['/dashboard/nowhere', undefined],
])('the path %s belongs to the rail entry %s', (pathname, label) =>
  expect(partOf(pathname)?.label).toBe(label),
);
