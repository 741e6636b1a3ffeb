import { describe, expect, it } from 'vitest';
import { searchIds } from './search-ids.ts';

describe('searchIds finds', () => {
  it.each([
    ['CVE-2024-12345', 'CVE-2024-12345'],
    [' cve-2024-12345 ', 'CVE-2024-12345'],
    ['2024-12345', 'CVE-2024-12345'],
    ['CVE 2024 12345', 'CVE-2024-12345'],
    ['cve2024-1234', 'CVE-2024-1234'],
    ['CVE-2024-123', undefined],
    ['2024 12345', undefined],
    ['20240-12345', undefined],
  ])('in "%s" the CVE %s', (text, cve) => expect(searchIds(text).cve).toBe(cve));

  it.each([
    ['CWE-79', 'CWE-79'],
    ['cwe79', 'CWE-79'],
    ['cwe: 79', 'CWE-79'],
    ['079', 'CWE-79'],
    ['79', 'CWE-79'],
    ['0', undefined],
    ['CWE', undefined],
    ['CAPEC-79', undefined],
  ])('in "%s" the CWE %s', (text, cwe) => expect(searchIds(text).cwe).toBe(cwe));

  it.each([
    ['CAPEC-66', ['CAPEC-66']],
    ['capec 66', ['CAPEC-66']],
    ['66', ['CAPEC-66']],
    ['T1059', ['T1059']],
    ['t1059.001', ['T1059.001']],
    ['att&ck t1059', ['T1059']],
    ['MITRE ATT&CK: G0007', ['G0007']],
    ['attack S0002', ['S0002']],
    ['TA0001', ['TA0001']],
    ['1059', ['CAPEC-1059', 'T1059']],
    ['1059.001', ['T1059.001']],
    ['CWE-66', []],
    ['phishing', []],
    ['', []],
  ])('in "%s" the threats %j', (text, threats) => expect(searchIds(text).threats).toEqual(threats));
});
