import { batches } from '@riskboard/contract';
import { formatCount, plural } from '@riskboard/domain';
import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { call } from '../../../lib/api/call.ts';
import { duration } from '../../../lib/format/duration.ts';
import { formatSize } from '../../../lib/format/format.ts';
import { batchFrom } from './transfer/batch-calls.ts';
import { findExisting } from './transfer/existing-reports.ts';
import { sizeOf } from './transfer/file-size.ts';
import { nameKey, type Upload } from './transfer/upload.ts';

/** What an upload will do, before it is started: the numbers of many files, and the files that are replaced by others. */
export function UploadPreview(props: PreviewProps) {
  return props.chosen.length < batchFrom ? <SameNames chosen={props.chosen} /> : <Preview {...props} />;
}

interface PreviewProps {
  chosen: readonly Upload[];
  /** Those of them that are sent (`useFilesToSend`). */
  sent: readonly Upload[];
}

function Preview({ chosen, sent }: PreviewProps) {
  const files = sent.length;
  // The dialog renders at each event of a job; the sizes of thousands of files are read once.
  const bytes = useMemo(() => sent.reduce((sum, { file }) => sum + sizeOf(file), 0), [sent]);
  const ids = `${sent[0]?.id} ${sent.at(-1)?.id} ${files}`;
  // Not under 'reports', which every event of a job marks stale: thousands of names are checked once.
  const existing = useQuery({
    queryKey: ['upload-preview', 'existing', ids],
    queryFn: async () => (await findExisting(sent.map(({ file }) => file.name))).size,
    staleTime: 60_000,
  });
  const estimate = useQuery({
    queryKey: ['upload-preview', 'estimate', files, bytes],
    queryFn: ({ signal }) => call(batches.estimate, { query: { files, bytes }, signal }),
    enabled: files > 0,
    staleTime: 60_000,
  });
  const facts = [
    [
      'Files',
      files === chosen.length ? formatCount(files) : `${formatCount(files)} of ${formatCount(chosen.length)}`,
    ],
    ['Size', formatSize(bytes)],
    ['Names that exist', existingText(existing)],
    ['Estimated time', estimateText(estimate.data)],
  ] as const;
  return (
    <section aria-label="Preview of the upload" className="rounded border bg-sunken px-3 py-2">
      <dl className="grid grid-cols-2 gap-x-6 gap-y-2 sm:grid-cols-4">
        {facts.map(([label, value]) => (
          <div key={label}>
            <dt className="text-xs text-muted">{label}</dt>
            <dd className="text-sm font-medium tabular-nums">{value}</dd>
          </div>
        ))}
      </dl>
      <SameNames chosen={chosen} />
    </section>
  );
}

/** Of several files of one name only the last is sent. */
function SameNames({ chosen }: { chosen: readonly Upload[] }) {
  const names = useMemo(() => new Set(chosen.map(({ file }) => nameKey(file.name))).size, [chosen]);
  if (names === chosen.length) return null;
  return (
    <p className="mt-2 text-sm text-warning">
      {plural(
        chosen.length - names,
        'file has the name of another chosen file and replaces it.',
        'files have the name of another chosen file and replace it.',
      )}
    </p>
  );
}

function existingText({ data, isError }: { data: number | undefined; isError: boolean }): string {
  if (isError) return 'Not known';
  return data === undefined ? 'Checking…' : formatCount(data);
}

function estimateText(estimate: { seconds: number | null } | undefined): string {
  if (estimate === undefined) return '–';
  if (estimate.seconds === null) return 'Not known yet';
  return `About ${duration(Math.max(1000, estimate.seconds * 1000))}`;
}
