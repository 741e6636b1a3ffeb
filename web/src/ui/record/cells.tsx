import { formatScore } from '../../lib/format/format.ts';
import { Empty } from '../text/empty.tsx';

interface SourceFileCellProps {
  file: string;
  /** Few columns stand beside it: names of files are shown whole, most of them. */
  wide?: boolean;
}

/** Name of the report that a row came from; the list can be narrowed to it by its filter. */
export function SourceFileCell({ file, wide = false }: SourceFileCellProps) {
  if (file === '') return <Empty />;
  return (
    <span
      className={`line-clamp-1 max-w-72 min-w-32 break-all 2xl:min-w-64 ${wide ? 'lg:min-w-64' : ''}`}
      title={file}
    >
      {file}
    </span>
  );
}

/** A score without the word of its band. */
export const Score = ({ value }: { value: number | null }) =>
  value === null ? <Empty /> : formatScore(value);

/** A text that stays on its line. */
export const Short = ({ text }: { text: string }) =>
  text === '' ? <Empty /> : <span className="whitespace-nowrap">{text}</span>;
