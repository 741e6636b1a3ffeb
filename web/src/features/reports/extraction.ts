import { reports, type ExtractKind, type ExtractResult, type Job } from '@riskboard/contract';
import { plural, formatCount } from '../../lib/format/format.ts';

/** The extractions of a report, with their texts (spec 2, 8). */
export const extractions = {
  vulnerabilities: {
    kinds: ['vulnerabilities'],
    action: 'Extract vulnerability data',
    noun: 'vulnerabilities',
    done: 'Vulnerabilities extracted',
    none: 'No vulnerabilities in this file.',
    fallback: 'Failed to request extraction',
    endpoint: reports.extractVulnerability,
  },
  threats: {
    kinds: ['threats'],
    action: 'Extract threat data',
    noun: 'threats',
    done: 'Threats extracted',
    none: 'No threats in this file.',
    fallback: 'Failed to request threat extraction',
    endpoint: reports.extractThreat,
  },
  both: {
    kinds: ['vulnerabilities', 'threats'],
    action: 'Extract both',
    noun: 'vulnerabilities and threats',
    done: 'Vulnerabilities and threats extracted',
    none: 'No vulnerabilities or threats in this file.',
    fallback: 'Failed to request extraction',
    endpoint: reports.extractBoth,
  },
} as const satisfies Record<string, { kinds: readonly ExtractKind[] } & Record<string, unknown>>;
export type Extraction = keyof typeof extractions;

/** 'N were extracted from the file.' (spec 8); without new records, the counts of the others. */
export function extractedText(result: ExtractResult, extraction: Extraction): string {
  const { created, updated, unchanged, skipped } = result;
  if (created > 0) return `${formatCount(created)} were extracted from the file.`;
  const known = [
    [updated, 'updated'],
    [unchanged, 'unchanged'],
    [skipped, 'skipped'],
  ] as const;
  const parts = known.filter(([count]) => count > 0).map(([count, what]) => `${formatCount(count)} ${what}`);
  if (parts.length === 0) return extractions[extraction].none;
  return `0 were extracted from the file: ${parts.join(', ')} of ${plural(result.records, 'record')}.`;
}

/** Counts of an extraction that has ended. @throws with the server's text when the job failed or was cancelled */
export function resultOf(job: Job): ExtractResult {
  if (job.state === 'cancelled') throw new Error('The extraction was cancelled.');
  if (job.state === 'failed' || job.result === null || !('created' in job.result)) {
    throw new Error(job.error?.message ?? 'Please try again.');
  }
  return job.result;
}
