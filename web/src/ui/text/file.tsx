import { Fragment } from 'react';
import { formatSize } from '../../lib/format/format.ts';

/** A formatted size in bytes, with the unit on a second line where there is no room for both. */
export function FileSize({ bytes }: { bytes: number }) {
  return (
    <data value={bytes} className="whitespace-normal tabular-nums">
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
