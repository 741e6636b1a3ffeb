import { reports, vignettes } from '@riskboard/contract';
import { ChevronDown, FileUp, Grid3x3, Upload } from 'lucide-react';
import { useRefusal } from '../../../lib/session/use-refusal.ts';
import { Button } from '../../../ui/button/button.tsx';
import { MenuItem, Menu } from '../../../ui/popup/menu.tsx';
import { uploadDialog } from './upload-dialog-state.ts';

interface DataUploadMenuProps {
  /** Opens the dialog of the other kind of file. */
  onUploadVignette: () => void;
}

/** 'Data Upload' (spec 2). `UploadHost` renders the dialog of the reports. */
export function DataUploadMenu({ onUploadVignette }: DataUploadMenuProps) {
  const refusal = useRefusal(reports.upload.access);
  const vignetteRefusal = useRefusal(vignettes.upload.access);
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
      <MenuItem
        disabledReason={vignetteRefusal}
        icon={<Grid3x3 aria-hidden size={16} />}
        onSelect={() => onUploadVignette()}
      >
        Upload Vignette
      </MenuItem>
    </Menu>
  );
}
