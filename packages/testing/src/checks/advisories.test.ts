import { expect, it } from 'vitest';
import { verdictOf } from './advisories.ts';

it.each([
  ['clean', 0, 'No known vulnerabilities found'],
  ['clean', 0, '1 vulnerabilities found\nSeverity: 1 low'],
  ['vulnerable', 1, '│ high │ Prototype Pollution in a-package │\n1 vulnerabilities found'],
  ['unknown', 1, 'Error: ERR_PNPM_AUDIT_BAD_RESPONSE\n  The audit endpoint responded with 405'],
  ['unknown', 1, 'getaddrinfo ENOTFOUND registry.npmjs.org'],
] as const)(
  'an audit of dependencies is %s when pnpm ends with %i and prints %j',
  (verdict, code, output) => {
    expect(verdictOf({ code, output })).toBe(verdict);
  },
);
