import { isLive } from './job-store.ts';
import type { Job, ReportFile } from '@riskboard/contract';
import { formatCount, plural } from '@riskboard/domain';

/** Labels of a report's states. */
const fileStates = {
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

interface FileLook {
  word: string;
  tone: (typeof fileStates)[FileState]['tone'];
  /** Number of issues; empty without any. */
  note: string;
}

/** Label, tone and note of a report's state: one that was read with issues is never plain green. */
export function fileLook(file: ReportFile): FileLook {
  const look = fileStates[fileStateOf(file)];
  if (file.parseState !== 'succeeded' || file.issues === 0) return { ...look, note: '' };
  return { word: look.word, tone: 'warning', note: plural(file.issues, 'issue') };
}

/** What reading and extracting a report led to, in one sentence; null until it was read. */
export function fileSentence(file: ReportFile): string | null {
  if (file.parseState === 'failed') return file.parseError;
  if (file.parseState !== 'succeeded' || file.objects === null) return null;
  const found = (file.vulnerabilityRecords ?? 0) + (file.threatRecords ?? 0);
  const objects = Object.values(file.objects).reduce((sum, count) => sum + count, 0);
  const extracted = file.vulnerabilityCount + file.threatCount;
  // As the sentence of the parse: revoked and deprecated records are not among them.
  const records = plural(found, 'active record');
  const outcome = extracted === 0 ? `found ${records}` : `extracted ${formatCount(extracted)} of ${records}`;
  return `Read ${plural(objects, 'object')}, ${outcome}.`;
}

/**
 * A file with the outcome of its parse. The job store has it before the refetched list: without it, a file that was being
 * read would show for a moment that it waits.
 * @param parse the newest parse of the file that the job store has
 */
export function withParseEnd(file: ReportFile, parse: Job | undefined): ReportFile {
  const isUnread = file.parseState === 'queued' || file.parseState === 'running';
  // The parse of a replaced file is older than the upload.
  if (!isUnread || parse === undefined || isLive(parse) || parse.createdAt < file.uploadDate) return file;
  const { state, error, result } = parse;
  const ended = { ...file, parseState: state, parseError: error?.message ?? null };
  if (result === null || !('vulnerabilityRecords' in result)) return ended;
  const { stixVersion, vulnerabilityRecords, threatRecords, failed, warnings } = result;
  return { ...ended, stixVersion, vulnerabilityRecords, threatRecords, issues: failed + warnings };
}

/** Why nothing can be extracted from a report right now; undefined when it can. */
export function extractRefusal(file: ReportFile): string | undefined {
  if (file.parseState === 'succeeded') return undefined;
  return file.parseState === 'failed' ? 'The report could not be read.' : 'The report has not been read yet.';
}
