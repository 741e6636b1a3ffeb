import { useQuery } from '@tanstack/react-query';
import { FileStack } from 'lucide-react';
import type { ReactNode } from 'react';
import { PageHeader } from '../../../ui/layout/page-header.tsx';
import type { HowChanged } from '../../../ui/list/list-control.ts';
import { ListPage } from '../../../ui/list/list-page.tsx';
import { UploadButton } from '../upload/upload-button.tsx';
import { deleteSelected } from './delete-selected.tsx';
import { filesSource, type FilesSearch } from './files-source.ts';
import { filesView } from './files-view.tsx';
import { useUploadedRefresh } from '../upload/transfer/uploaded-event.ts';

interface FilesPageProps {
  search: FilesSearch;
  onSearch: (search: FilesSearch, how?: HowChanged) => void;
  /** 'Data Upload'. */
  upload: ReactNode;
}

/** 'All Uploaded Files' (spec 2, STIX files list). */
export function FilesPage({ search, onSearch, upload }: FilesPageProps) {
  useUploadedRefresh();
  const query = useQuery(filesSource.query(search));
  return (
    <>
      <PageHeader
        title="All Uploaded Files"
        description="STIX and TAXII reports, and what was extracted from them."
        actions={upload}
      />
      <ListPage
        view={filesView}
        query={query}
        search={search}
        onSearch={onSearch}
        bulk={deleteSelected}
        empty={{
          icon: <FileStack aria-hidden size={20} />,
          description: 'Upload a STIX or TAXII report to extract vulnerabilities and threats from it.',
          action: <UploadButton />,
        }}
      />
    </>
  );
}
