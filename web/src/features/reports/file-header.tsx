import type { ReportFile } from '@riskboard/contract';
import { useNamedPage } from '../../lib/browser/page-name.ts';
import { PageHeader } from '../../ui/layout/page-header.tsx';
import { FileFacts } from './file-facts.tsx';
import { FileMenu } from './file-menu.tsx';

interface FileHeaderProps {
  name: string;
  /** Absent until it is known. */
  file: ReportFile | undefined;
}

/** Head of a report's page: its name, where it stands, what can be done with it. */
export function FileHeader({ name, file }: FileHeaderProps) {
  useNamedPage(name);
  return (
    <PageHeader
      title={<span className="wrap-anywhere">{name}</span>}
      description={<FileFacts file={file} />}
      actions={file !== undefined && <FileMenu file={file} />}
    />
  );
}
