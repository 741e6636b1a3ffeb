import type { Upload } from './upload.ts';

export interface Notice {
  readonly tone: 'success' | 'error';
  readonly title: string;
  readonly description: string;
}

/**
 * What a person is told when a batch has ended: the spec's words for one file (spec 8), one sum for many.
 * Null when there is nothing to tell: everything was cancelled or kept.
 */
export function noticeOf(batch: readonly Upload[]): Notice | null {
  const stored = batch.filter((upload) => upload.reply !== null);
  const failed = batch.filter((upload) => upload.state === 'failed');
  if (stored.length === 0 && failed.length === 0) return null;
  const [first] = stored;
  if (stored.length === 1 && failed.length === 0 && first?.reply) {
    const { action, id, stixVersion } = first.reply;
    return {
      tone: 'success',
      title: `STIX ${action}`,
      description: `ID ${id} · version ${stixVersion ?? 'unknown'}`,
    };
  }
  const [failure] = failed;
  if (failed.length === 1 && stored.length === 0 && failure) {
    return {
      tone: 'error',
      title: 'Failed to upload report',
      description: `${failure.file.name}: ${failure.reason ?? 'Please try again.'}`,
    };
  }
  const replaced = stored.filter((upload) => upload.reply?.action === 'replaced').length;
  const sums = [
    [stored.length - replaced, 'created'],
    [replaced, 'replaced'],
    [failed.length, 'failed'],
  ] as const;
  return {
    tone: failed.length === 0 ? 'success' : 'error',
    title: failed.length === 0 ? 'STIX reports uploaded' : 'Failed to upload some reports',
    description: `${sums
      .filter(([count]) => count > 0)
      .map(([count, what]) => `${count.toLocaleString('en-US')} ${what}`)
      .join(', ')}.`,
  };
}
