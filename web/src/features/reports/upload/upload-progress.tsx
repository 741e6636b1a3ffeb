import { plural, formatCount } from '@riskboard/domain';
import { formatSize } from '../../../lib/format/format.ts';
import { ProgressBar } from '../../../ui/feedback/progress-bar.tsx';
import type { UploadTotals } from './transfer/upload.ts';

/** What open uploads do while the API cannot be reached. */
export const connectionText = 'Waiting for the connection';

/** Totals of all uploads as text. */
function progressText({ open, stored, unreadable, failed, refused, cancelled }: UploadTotals): string {
  const parts = [
    open > 0 && `${plural(open, 'file')} left`,
    stored > 0 && `${formatCount(stored)} uploaded`,
    unreadable > 0 && `${formatCount(unreadable)} could not be read`,
    failed > 0 && `${formatCount(failed)} failed`,
    refused > 0 && `${formatCount(refused)} not accepted`,
    cancelled > 0 && `${formatCount(cancelled)} cancelled`,
  ];
  return parts.filter((part) => part !== false).join(' · ');
}

/** Totals, and the overall progress: bytes sent of the bytes to send. */
export function UploadProgress({ totals }: { totals: UploadTotals }) {
  const text = progressText(totals);
  if (text === '') return null;
  if (totals.bytes === 0) return <p className="text-sm text-muted tabular-nums">{text}</p>;
  return (
    <div className="flex flex-col gap-1">
      <div className="flex flex-wrap justify-between gap-x-4 text-sm text-muted tabular-nums">
        <span>{text}</span>
        <span>
          {formatSize(totals.sent)} of {formatSize(totals.bytes)}
        </span>
      </div>
      <ProgressBar
        label="Total upload"
        value={totals.sent / totals.bytes}
        tone={totals.open + totals.failed + totals.unreadable === 0 ? 'success' : 'accent'}
      />
    </div>
  );
}
