import { reports, type ExtractKind } from '@riskboard/contract';

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

/** Id of the toast that says that an extraction of a report failed; null: of a report that was deleted. */
export const extractionFailure = (extraction: Extraction, fileId: string | null): string =>
  `extract ${extraction} ${fileId}`;
