import { reports, type ReportFile } from '@riskboard/contract';
import { useMatch, useNavigate } from '@tanstack/react-router';
import { Download, Ellipsis, FileSearch, PackageOpen, Trash2 } from 'lucide-react';
import { lazy, Suspense, useState } from 'react';
import { useRefusal } from '../../lib/session/use-refusal.ts';
import { IconButton } from '../../ui/button/icon-button.tsx';
import { MenuItem } from '../../ui/popup/menu-item.tsx';
import { MenuSeparator } from '../../ui/popup/menu-separator.tsx';
import { Menu } from '../../ui/popup/menu.tsx';
import { extractions, type Extraction } from './extraction.ts';
import { extractRefusal } from '../../lib/jobs/file-states.ts';
import { useFileActions } from './use-file-actions.ts';

const asked = ['vulnerabilities', 'threats', 'both'] as const satisfies readonly Extraction[];

// Every row has a menu, and few are opened: the questions come with the first one.
const ExtractDialog = lazy(async () => ({ default: (await import('./extract-dialog.tsx')).ExtractDialog }));
const DeleteFileDialog = lazy(async () => ({
  default: (await import('./delete-file-dialog.tsx')).DeleteFileDialog,
}));

/** What can be done with one report (spec 2, STIX files list: row menu). */
export function FileMenu({ file }: { file: ReportFile }) {
  const { download, downloadOriginal } = useFileActions();
  const navigate = useNavigate();
  const onItsReport = useMatch({ from: '/dashboard/reports/$fileId', shouldThrow: false }) !== undefined;
  const [extraction, setExtraction] = useState<Extraction | null>(null);
  const [deleting, setDeleting] = useState(false);
  const [asking, setAsking] = useState(false);
  const deleteRefusal = useRefusal(reports.deleteFile.access);
  const refusal = useRefusal(extractions.both.endpoint.access) ?? extractRefusal(file);

  return (
    <>
      <Menu
        trigger={
          <IconButton
            size="sm"
            label={`Actions for ${file.originalFilename}`}
            icon={<Ellipsis aria-hidden size={16} />}
          />
        }
      >
        <MenuItem icon={<Download aria-hidden size={16} />} onSelect={() => void download(file)}>
          Download
        </MenuItem>
        <MenuItem icon={<Download aria-hidden size={16} />} onSelect={() => downloadOriginal(file)}>
          Download original
        </MenuItem>
        <MenuSeparator />
        {asked.map((one) => (
          <MenuItem
            key={one}
            icon={<PackageOpen aria-hidden size={16} />}
            disabledReason={refusal}
            onSelect={() => {
              setAsking(true);
              setExtraction(one);
            }}
          >
            {extractions[one].action}
          </MenuItem>
        ))}
        <MenuSeparator />
        {!onItsReport && (
          <MenuItem
            icon={<FileSearch aria-hidden size={16} />}
            onSelect={() => void navigate({ to: '/dashboard/reports/$fileId', params: { fileId: file._id } })}
          >
            Import report
          </MenuItem>
        )}
        <MenuItem
          danger
          disabledReason={deleteRefusal}
          icon={<Trash2 aria-hidden size={16} />}
          onSelect={() => {
            setAsking(true);
            setDeleting(true);
          }}
        >
          Delete
        </MenuItem>
      </Menu>
      {asking && (
        <Suspense>
          <ExtractDialog file={file} extraction={extraction} onClose={() => setExtraction(null)} />
          <DeleteFileDialog
            file={file}
            open={deleting}
            onClose={() => setDeleting(false)}
            onDeleted={() => onItsReport && void navigate({ to: '/dashboard/reports' })}
          />
        </Suspense>
      )}
    </>
  );
}
