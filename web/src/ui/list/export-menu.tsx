import { Download } from 'lucide-react';
import { addressOf } from '../../lib/api/call.ts';
import { plural } from '../../lib/format/format.ts';
import { saveFrom } from '../../lib/browser/save-as.ts';
import { Button } from '../button/button.tsx';
import { MenuItem, Menu } from '../popup/menu.tsx';
import { toast } from '../feedback/toast.ts';
import type { ListControl } from './list-control.ts';

interface ExportMenuProps {
  list: ListControl;
  /** Visible fields, in order. */
  columns: readonly string[];
  /** Number of matching rows. */
  total: number;
}

const formats = { csv: 'CSV', json: 'JSON' } as const;

/** Exports the filtered list with the visible columns; renders nothing when the list has no export. */
export function ExportMenu({ list: { view, state, params }, columns, total }: ExportMenuProps) {
  const endpoint = view.calls.export;
  if (endpoint === undefined) return null;
  const rows = plural(total, view.nouns.one, view.nouns.many);
  const reason = total === 0 ? 'There are no rows.' : undefined;

  function save(format: keyof typeof formats): void {
    if (endpoint === undefined) return;
    const query = { ...view.filter(state), sort: state.sort, format, columns: columns.join(',') };
    saveFrom(addressOf(endpoint, { query, ...(params && { params }) }), `${view.noun}.${format}`);
    toast.success('Download started', `${rows} as ${formats[format]}.`);
  }

  return (
    <Menu
      trigger={
        <Button aria-label="Export" icon={<Download aria-hidden size={14} />}>
          <span className="hidden @min-[52rem]/list:inline">Export</span>
        </Button>
      }
    >
      {(['csv', 'json'] as const).map((format) => (
        <MenuItem key={format} disabledReason={reason} onSelect={() => save(format)}>
          {rows} as {formats[format]}
        </MenuItem>
      ))}
    </Menu>
  );
}
