import { Download, Ellipsis, Trash2 } from 'lucide-react';
import { IconButton } from '../button/icon-button.tsx';
import { MenuItem, Menu } from '../popup/menu.tsx';

interface RecordMenuProps {
  /** What the record is called. */
  name: string;
  /** Why the person may not delete. */
  refusal: string | undefined;
  onDownload: () => void;
  /** A deletion can be undone from the toast that tells it. */
  onDelete: () => void;
}

/** What can be done with one row of a data list (spec 2: row menu). */
export function RecordMenu({ name, refusal, onDownload, onDelete }: RecordMenuProps) {
  return (
    <Menu
      trigger={
        <IconButton size="sm" label={`Actions for ${name}`} icon={<Ellipsis aria-hidden size={16} />} />
      }
    >
      <MenuItem icon={<Download aria-hidden size={16} />} onSelect={onDownload}>
        Download
      </MenuItem>
      <MenuItem danger disabledReason={refusal} icon={<Trash2 aria-hidden size={16} />} onSelect={onDelete}>
        Delete
      </MenuItem>
    </Menu>
  );
}
