import { reports, type ReportFile } from '@riskboard/contract';
import { useMatch, useNavigate } from '@tanstack/react-router';
import { Download, FileSearch, PackageOpen, Trash2 } from 'lucide-react';
import { useState } from 'react';
import { extractRefusal } from '../../lib/jobs/file-states.ts';
import { useRefusal } from '../../lib/session/use-refusal.ts';
import { nameText } from '../../lib/format/name-text.ts';
import { LazyAlertDialog } from '../../ui/dialog/lazy-alert-dialog.ts';
import { MenuItem, MenuSeparator } from '../../ui/popup/menu.tsx';
import { RowMenu } from '../../ui/popup/row-menu.tsx';
import { extractions, type Extraction } from './extraction.ts';
import { useFileActions } from './use-file-actions.ts';

const menuExtractions = ['vulnerabilities', 'threats', 'both'] as const satisfies readonly Extraction[];

/** Actions on one report (spec 2, STIX files list: row menu). */
export function FileMenu({ file }: { file: ReportFile }) {
  const { download, downloadOriginal } = useFileActions();
  const navigate = useNavigate();
  const onImportPage = useMatch({ from: '/dashboard/reports/$fileId', shouldThrow: false }) !== undefined;
  const [extraction, setExtraction] = useState<Extraction | null>(null);
  const [deleting, setDeleting] = useState(false);
  const [dialogsMounted, setDialogsMounted] = useState(false);
  const deleteRefusal = useRefusal(reports.deleteFile.access);
  const refusal = useRefusal(extractions.both.endpoint.access) ?? extractRefusal(file);

  return (
    <>
      <RowMenu name={file.originalFilename}>
        <MenuItem icon={<Download aria-hidden size={16} />} onSelect={() => void download(file)}>
          Download
        </MenuItem>
        <MenuItem icon={<Download aria-hidden size={16} />} onSelect={() => void downloadOriginal(file)}>
          Download original
        </MenuItem>
        <MenuSeparator />
        {menuExtractions.map((one) => (
          <MenuItem
            key={one}
            icon={<PackageOpen aria-hidden size={16} />}
            disabledReason={refusal}
            onSelect={() => {
              setDialogsMounted(true);
              setExtraction(one);
            }}
          >
            {extractions[one].action}
          </MenuItem>
        ))}
        <MenuSeparator />
        {!onImportPage && (
          <MenuItem
            icon={<FileSearch aria-hidden size={16} />}
            onSelect={() => void navigate({ to: '/dashboard/reports/$fileId', params: { fileId: file._id } })}
          >
            Open import report
          </MenuItem>
        )}
        <MenuItem
          danger
          disabledReason={deleteRefusal}
          icon={<Trash2 aria-hidden size={16} />}
          onSelect={() => {
            setDialogsMounted(true);
            setDeleting(true);
          }}
        >
          Delete
        </MenuItem>
      </RowMenu>
      {/* A list has many of these menus: the dialogs mount on first use. */}
      {dialogsMounted && (
        <>
          <ExtractDialog file={file} extraction={extraction} onClose={() => setExtraction(null)} />
          <DeleteFileDialog
            file={file}
            open={deleting}
            onClose={() => setDeleting(false)}
            onDeleted={() => onImportPage && void navigate({ to: '/dashboard/reports' })}
          />
        </>
      )}
    </>
  );
}

interface ExtractDialogProps {
  file: ReportFile;
  /** Null: closed. */
  extraction: Extraction | null;
  onClose: () => void;
}

/** Confirms an extraction (spec 2, Confirmation dialogs), which then runs in the background. */
function ExtractDialog({ file, extraction, onClose }: ExtractDialogProps) {
  const actions = useFileActions();
  const [shown, setShown] = useState<Extraction>('both');
  // The texts stay while the dialog fades out.
  if (extraction !== null && extraction !== shown) setShown(extraction);
  const { action, noun } = extractions[shown];
  return (
    <LazyAlertDialog
      open={extraction !== null}
      onOpenChange={(open) => !open && onClose()}
      title={action}
      description={`This will extract ${noun} from ${nameText(file.originalFilename)}. This process may take a few moments.`}
      confirmLabel="Extract"
      onConfirm={() => void actions.extract(file, shown)}
    />
  );
}

interface DeleteFileDialogProps {
  file: ReportFile;
  open: boolean;
  onClose: () => void;
  /** Called after the file was deleted. */
  onDeleted: () => void;
}

/** Confirms the deletion of a report (spec 2, Confirmation dialogs). */
function DeleteFileDialog({ file, open, onClose, onDeleted }: DeleteFileDialogProps) {
  const { remove } = useFileActions();
  return (
    <LazyAlertDialog
      open={open}
      onOpenChange={(next) => !next && onClose()}
      title="Are you absolutely sure?"
      description="This action cannot be undone. This will permanently delete the file and all associated data."
      confirmLabel="Delete"
      danger
      onConfirm={async () => {
        if (await remove(file)) onDeleted();
      }}
    >
      <p className="truncate text-sm font-medium" title={file.originalFilename}>
        {file.originalFilename}
      </p>
    </LazyAlertDialog>
  );
}
