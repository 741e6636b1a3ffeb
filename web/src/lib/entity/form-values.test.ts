import { NewThreat, NewVulnerability } from '@riskboard/contract/schemas';
import { expect, test } from 'vitest';
import { problemsBy } from './form-values.ts';

const whole = { name: 'Log4Shell', description: 'Remote code execution.', severity: 9 };

// Spec 5, Validation rules.
test.each([
  [{}, {}],
  [{ name: '  ' }, { name: 'Enter a name.' }],
  [{ name: '\u200B\u00AD' }, { name: 'Enter a name.' }],
  [{ description: '' }, { description: 'Enter a description.' }],
  [{ severity: 0 }, { severity: 'Must be 1 or more.' }],
  [{ severity: 11 }, { severity: 'Must be 10 or less.' }],
  [{ severity: '' }, { severity: 'Enter a number from 1 to 10.' }],
  [{ severity: Number.NaN }, { severity: 'Enter a number from 1 to 10.' }],
  [{ cvssScore: 10.1 }, { cvssScore: 'Must be 10 or less.' }],
  [{ cvssScore: 7.25 }, { cvssScore: 'Use steps of 0.1.' }],
  [{ cvssScore: Number.NaN }, { cvssScore: 'Enter a number from 0 to 10.' }],
  [{ cvssScore: '' }, {}],
  [{ exploitability: 0.5 }, { exploitability: 'Must be 1 or more.' }],
  [{ impact: -1 }, { impact: 'Must be 0 or more.' }],
  [{ cveId: 'CVE-1' }, { cveId: 'Enter an id such as CVE-2024-12345.' }],
  [{ cwe: ['CWE-79', 'CWE-x'] }, { cwe: 'Enter ids such as CWE-79.' }],
])('a new vulnerability with %j has the problems %j', (change, problems) => {
  expect(problemsBy(NewVulnerability, { ...whole, ...change })).toEqual(problems);
});

test.each([
  [{}, {}],
  [{ riskLevel: 101 }, { riskLevel: 'Must be 100 or less.' }],
  [{ riskLevel: -1 }, { riskLevel: 'Must be 0 or more.' }],
  [{ riskLevel: '' }, {}],
])('a new threat with %j has the problems %j', (change, problems) => {
  expect(problemsBy(NewThreat, { name: 'Emotet', description: 'A loader.', ...change })).toEqual(problems);
});
