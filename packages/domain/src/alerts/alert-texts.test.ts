import { expect, it } from 'vitest';
import { vulnerabilityTitle } from './alert-texts.ts';

it.each([
  ['', 'Weak password', 'Weak password'],
  ['CVE-2019-16278', 'Path traversal', 'CVE-2019-16278 Path traversal'],
  ['CVE-2019-16278', 'CVE-2019-16278', 'CVE-2019-16278'],
  ['CVE-2019-16278', 'cve-2019-16278', 'cve-2019-16278'],
  ['CVE-2019-16278', 'Nostromo (CVE-2019-16278): traversal', 'Nostromo (CVE-2019-16278): traversal'],
  ['CVE-2019-1627', 'CVE-2019-16278', 'CVE-2019-1627 CVE-2019-16278'],
])('the title of a vulnerability with the CVE id %j and the name %j is %j', (cveId, name, title) => {
  expect(vulnerabilityTitle({ cveId, name })).toBe(title);
});
