import { listVersions } from '@riskboard/domain';
import type { ReportFile } from '@riskboard/contract';
import { useNamedPage } from '../../../lib/browser/page-name.ts';
import { useRememberedRecord } from '../../../lib/session/recent-records.ts';
import { formatSize } from '../../../lib/format/format.ts';
import { PageHeader } from '../../../ui/layout/page-header.tsx';
import { Time } from '../../../ui/text/time.tsx';
import { FileMenu } from '../file-menu.tsx';
import { FileState } from '../file-state.tsx';

interface FileHeaderProps {
  name: string;
  /** Undefined until it is loaded. */
  file: ReportFile | undefined;
}

/** Header of a report's page: name, facts, state and actions. */
export function FileHeader({ name, file }: FileHeaderProps) {
  useNamedPage(name);
  useRememberedRecord(file && { noun: 'reports', _id: file._id, title: name });
  return (
    <PageHeader
      title={name}
      description={<FileFacts file={file} />}
      actions={file !== undefined && <FileMenu file={file} />}
    />
  );
}

/** Version, size, date and state of a file, once it is loaded. */
function FileFacts({ file }: { file: ReportFile | undefined }) {
  if (file === undefined) return 'Import report';
  return (
    <span className="flex flex-wrap items-center gap-x-3 gap-y-1 text-sm">
      <span>Import report</span>
      <span>
        {file.stixVersion === null ? 'STIX version unknown' : `STIX ${listVersions(file.stixVersion)}`}
      </span>
      <span className="tabular-nums">{formatSize(file.size)}</span>
      <span>
        uploaded <Time value={file.uploadDate} form="absolute" />
      </span>
      <FileState file={file} />
    </span>
  );
}
