import { reports } from '@riskboard/contract';
import { useQuery } from '@tanstack/react-query';
import { FileStack, Upload } from 'lucide-react';
import { queryOf } from '../../lib/list-search.ts';
import { useRefusal } from '../../lib/write-refusal.ts';
import { Button } from '../../ui/button.tsx';
import { ListView } from '../../ui/list-view.tsx';
import { PageHeader } from '../../ui/page-header.tsx';
import { DataUploadMenu } from './data-upload-menu.tsx';
import { filesColumns } from './files-columns.tsx';
import type { FilesSearch } from './files-search.ts';
import { filesQuery } from './queries.ts';
import { SelectionBar } from './selection-bar.tsx';
import { uploadDialog } from './upload-store.ts';
import { useFileSelection } from './use-file-selection.ts';
import { useUploadedRefresh } from './use-uploaded-refresh.ts';

interface FilesPageProps {
  search: FilesSearch;
  onSearch: (search: FilesSearch) => void;
}

/** 'All Uploaded Files' (spec 2, STIX files list). */
export function FilesPage({ search, onSearch }: FilesPageProps) {
  useUploadedRefresh();
  const refusal = useRefusal(reports.upload.access);
  const query = useQuery({
    ...filesQuery(queryOf(search)),
    select: ({ files, total }) => ({ rows: files, total }),
  });
  const selection = useFileSelection(query.data?.rows);

  return (
    <>
      <PageHeader
        title="All Uploaded Files"
        description="Threat intelligence in STIX and TAXII, and what was extracted from it."
        actions={<DataUploadMenu />}
      />
      <ListView
        label="All Uploaded Files"
        columns={filesColumns}
        rowId={(file) => file._id}
        query={query}
        search={search}
        onSearch={onSearch}
        searchLabel="Search files"
        texts={{ empty: 'No files found.', failure: 'Failed to load files.' }}
        emptyHint={{
          icon: <FileStack aria-hidden size={20} />,
          description: 'Upload a STIX or TAXII report to extract vulnerabilities and threats from it.',
          action: (
            <Button
              icon={<Upload aria-hidden size={16} />}
              disabledReason={refusal}
              onClick={() => uploadDialog.set(true)}
            >
              Upload STIX/TAXII
            </Button>
          ),
        }}
        selection={{
          value: selection.value,
          onChange: selection.onChange,
          name: (file) => file.originalFilename,
        }}
        banner={<SelectionBar selection={selection} total={query.data?.total ?? 0} search={search} />}
      />
    </>
  );
}
