import { expect, test } from 'vitest';
import { listVersions } from './list-versions.ts';

test.each([
  ['2.1', '2.1'],
  ['1.1.1,1.2', '1.1.1 and 1.2'],
  ['1.0,1.1.1,1.2', '1.0, 1.1.1 and 1.2'],
  ['stix-1.2.1', '1.2.1'],
  ['N/A', 'N/A'],
])('the STIX versions %j of a report are listed as %j', (versions, listed) => {
  expect(listVersions(versions)).toBe(listed);
});
