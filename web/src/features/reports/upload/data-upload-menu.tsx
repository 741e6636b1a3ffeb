import { reports } from '@riskboard/contract';
import { ChevronDown, FileUp, Upload } from 'lucide-react';
import { useRefusal } from '../../../lib/session/use-refusal.ts';
import { Button } from '../../../ui/button/button.tsx';
import { MenuItem, Menu } from '../../../ui/popup/menu.tsx';
import { uploadDialog } from './upload-dialog-state.ts';

/** 'Data Upload' (spec 2). `UploadHost` renders the dialog that it opens. */
export function DataUploadMenu() {
  const refusal = useRefusal(reports.upload.access);
  return (
    <Menu
      trigger={
        <Button icon={<Upload aria-hidden size={16} />}>
          Data Upload
          <ChevronDown aria-hidden size={14} />
        </Button>
      }
    >
      <MenuItem
        disabledReason={refusal}
        icon={<FileUp aria-hidden size={16} />}
        onSelect={() => uploadDialog.set(true)}
      >
        Upload STIX/TAXII
      </MenuItem>
    </Menu>
  );
}
