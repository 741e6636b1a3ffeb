import { reports } from '@riskboard/contract';
import { Download } from 'lucide-react';
import { addressOf } from '../../lib/call.ts';
import { Button } from '../../ui/button.tsx';
import { MenuItem } from '../../ui/menu-item.tsx';
import { Menu } from '../../ui/menu.tsx';
import { saveFrom } from '../../lib/save-as.ts';

const formats = [
  { format: 'csv', label: 'CSV' },
  { format: 'json', label: 'JSON' },
] as const;

/** The account of every object as a file, streamed by the server. */
export function ImportDownloads({ fileId, name }: { fileId: string; name: string }) {
  return (
    <Menu trigger={<Button icon={<Download aria-hidden size={16} />}>Download report</Button>}>
      {formats.map(({ format, label }) => (
        <MenuItem
          key={format}
          onSelect={() =>
            saveFrom(
              addressOf(reports.importExport, { params: { id: fileId }, query: { format } }),
              `${name}.import.${format}`,
            )
          }
        >
          {label}
        </MenuItem>
      ))}
    </Menu>
  );
}
