import { Fragment } from 'react';
import { formatSize } from '../../lib/format/format.ts';

/** A formatted size in bytes. */
export function FileSize({ bytes }: { bytes: number }) {
  return (
    <data value={bytes} className="whitespace-nowrap tabular-nums">
      {formatSize(bytes)}
    </data>
  );
}

/** A file name that wraps after punctuation, and inside a word only when necessary. */
export function FileNameText({ name }: { name: string }) {
  const parts = name.split(/(?<=[._\-\s])/u);
  return parts.map((part, index) => (
    // oxlint-disable-next-line react/no-array-index-key -- parts of a name have no other identity
    <Fragment key={index}>
      {index > 0 && <wbr />}
      {part}
    </Fragment>
  ));
}
