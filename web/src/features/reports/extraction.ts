import { reports, type ExtractKind, type ExtractResult } from '@riskboard/contract';
import { plural } from '../../lib/format/format.ts';

/** What a person may ask of a report: one kind or both, each with the spec's words (spec 2, 8). */
export const extractions = {
  vulnerabilities: {
    kinds: ['vulnerabilities'],
    action: 'Extract vulnerability data',
    noun: 'vulnerabilities',
    done: 'Vulnerabilities extracted',
    fallback: 'Failed to request extraction',
    endpoint: reports.extractVulnerability,
  },
  threats: {
    kinds: ['threats'],
    action: 'Extract threat data',
    noun: 'threats',
    done: 'Threats extracted',
    fallback: 'Failed to request threat extraction',
    endpoint: reports.extractThreat,
  },
  both: {
    kinds: ['vulnerabilities', 'threats'],
    action: 'Extract both',
    noun: 'vulnerabilities and threats',
    done: 'Vulnerabilities and threats extracted',
    fallback: 'Failed to request extraction',
    endpoint: reports.extractBoth,
  },
} as const satisfies Record<string, { kinds: readonly ExtractKind[] } & Record<string, unknown>>;
export type Extraction = keyof typeof extractions;

/** 'N were extracted from the file.' (spec 8); an extraction without anything new says what it found instead. */
export function extractedWords(result: ExtractResult): string {
  const { created, updated, unchanged, skipped } = result;
  if (created > 0) return `${created.toLocaleString('en-US')} were extracted from the file.`;
  const known = [
    [updated, 'updated'],
    [unchanged, 'unchanged'],
    [skipped, 'skipped'],
  ] as const;
  const parts = known
    .filter(([count]) => count > 0)
    .map(([count, what]) => `${count.toLocaleString('en-US')} ${what}`);
  if (parts.length === 0) return '0 were extracted from the file: it holds none.';
  return `0 were extracted from the file: ${parts.join(', ')} of ${plural(result.records, 'record')}.`;
}
