import type { ReportFile } from '@riskboard/contract';
import { formatSize } from '../../lib/format/format.ts';
import { Time } from '../../ui/text/time.tsx';
import { FileState } from './file-state.tsx';

/** Version, size, date and state of a file, once they are known. */
export function FileFacts({ file }: { file: ReportFile | undefined }) {
  if (file === undefined) return 'Import report';
  return (
    <span className="flex flex-wrap items-center gap-x-3 gap-y-1 text-sm">
      <span>Import report</span>
      <span>{file.stixVersion === null ? 'STIX version unknown' : `STIX ${file.stixVersion}`}</span>
      <span className="tabular-nums">{formatSize(file.size)}</span>
      <span>
        uploaded <Time value={file.uploadDate} />
      </span>
      <FileState file={file} />
    </span>
  );
}
