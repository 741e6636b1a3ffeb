import { useQuery } from '@tanstack/react-query';
import { formatSize } from '../../lib/format.ts';
import { Time } from '../../ui/time.tsx';
import { FileState } from './file-state.tsx';
import { filesQuery } from './queries.ts';

/** Version, size, date and state of a file. The list tells them without the content, which may be large. */
export function FileFacts({ fileId, name }: { fileId: string; name: string }) {
  const { data } = useQuery(filesQuery({ name: [name] }));
  const file = data?.files.find(({ _id }) => _id === fileId);
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
      {file.parseError !== null && <span className="basis-full text-danger">{file.parseError}</span>}
    </span>
  );
}
