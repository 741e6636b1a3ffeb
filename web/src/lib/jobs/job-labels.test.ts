import { expect, test } from 'vitest';
import { subjectOf } from './job-labels.ts';

test.each([
  ['stix.parse', 'apt29.json', 'apt29.json'],
  ['stix.extract', null, 'Deleted file'],
  ['records.delete', null, 'Delete records'],
  ['organization.delete', null, 'Delete organization'],
] as const)('a job %s of %s has the label %s', (kind, fileName, subject) => {
  expect(subjectOf({ kind, fileName })).toBe(subject);
});
