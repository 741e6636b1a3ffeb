import { formatSize } from '../../lib/format/format.ts';

/** A size in bytes, as people read it. */
export function FileSize({ bytes }: { bytes: number }) {
  return (
    <data value={bytes} className="whitespace-nowrap tabular-nums">
      {formatSize(bytes)}
    </data>
  );
}
