import type { ReportFile } from '@riskboard/contract';

/** Labels of a report's states. */
export const fileStates = {
  reading: { word: 'Waiting to be read', tone: 'neutral' },
  failed: { word: 'Not readable', tone: 'danger' },
  cancelled: { word: 'Reading cancelled', tone: 'warning' },
  ready: { word: 'Ready to extract', tone: 'info' },
  extracted: { word: 'Extracted', tone: 'success' },
  nothing: { word: 'Nothing to extract', tone: 'neutral' },
} as const;
export type FileState = keyof typeof fileStates;

export function fileStateOf(file: ReportFile): FileState {
  if (file.parseState === 'failed') return 'failed';
  if (file.parseState === 'cancelled') return 'cancelled';
  if (file.parseState !== 'succeeded') return 'reading';
  if (file.vulnerabilityCount + file.threatCount > 0) return 'extracted';
  const found = (file.vulnerabilityRecords ?? 0) + (file.threatRecords ?? 0);
  return found === 0 ? 'nothing' : 'ready';
}

/** Why nothing can be extracted from a report right now; undefined when it can. */
export function extractRefusal(file: ReportFile): string | undefined {
  if (file.parseState === 'succeeded') return undefined;
  return file.parseState === 'failed' ? 'The report could not be read.' : 'The report has not been read yet.';
}
