import { formatTotal, plural } from '@riskboard/domain';
import { Download } from 'lucide-react';
import { addressOf } from '../../lib/api/call.ts';
import { downloadFrom } from '../../lib/browser/save-as.ts';
import { Button } from '../button/button.tsx';
import { MenuItem, Menu } from '../popup/menu.tsx';
import type { ListControl } from './list-control.ts';
import type { Selected } from './use-selection.ts';

interface ExportMenuProps {
  list: ListControl;
  /** Visible fields, in order. */
  columns: readonly string[];
  /** Number of matching rows. */
  total: number;
  /** There are more rows than `total`; all are exported. */
  isCapped: boolean;
}

const formats = { csv: 'CSV', json: 'JSON' } as const;
type Format = keyof typeof formats;
const formatNames = Object.keys(formats) as Format[];

/**
 * Rows that an export names one by one: their ids are part of its address, with 41 characters each. Proxies accept
 * request lines of 8 KiB, in which the columns need room too.
 */
const mostIds = 140;

interface Exported {
  format: Format;
  columns: readonly string[];
  /** Of the rows; absent: what the list shows. */
  filter?: Readonly<Record<string, unknown>>;
  count: number;
  /** There are more rows than `count`. */
  isCapped?: boolean;
}

const rowsText = ({ nouns: { one, many } }: ListControl['view'], count: number, isCapped = false): string =>
  isCapped ? `${formatTotal(count, isCapped)} ${many}` : plural(count, one, many);

function save(
  { view, state, params }: ListControl,
  { format, columns, filter, count, isCapped }: Exported,
): void {
  const endpoint = view.calls.export;
  if (endpoint === undefined) return;
  const rows = filter ?? view.filter(state);
  const query = { ...rows, sort: state.sort, format, columns: columns.join(',') };
  void downloadFrom(
    addressOf(endpoint, { query, ...(params && { params }) }),
    `${view.noun}.${format}`,
    `${rowsText(view, count, isCapped)} as ${formats[format]}.`,
  );
}

interface SelectionExport {
  columns: readonly string[];
  selected: Selected;
}

/** Commands of the palette that export the selected rows; none when the list has no export. */
export function exportCommands(list: ListControl, { columns, selected }: SelectionExport) {
  if (list.view.calls.export === undefined) return [];
  const { selection, count } = selected;
  const filter = 'ids' in selection ? { ids: selection.ids } : selection.filter;
  const tooMany = 'ids' in selection && selection.ids.length > mostIds;
  return formatNames.map((format) => ({
    id: `export selected ${format}`,
    label: `Export selected as ${formats[format]}`,
    terms: 'download save',
    icon: <Download aria-hidden size={16} />,
    refusal: tooMany ? `Select at most ${mostIds} rows, or all matching rows.` : undefined,
    run: () => save(list, { format, columns, filter, count }),
  }));
}

/** Exports the filtered list with the visible columns; renders nothing when the list has no export. */
export function ExportMenu({ list, columns, total, isCapped }: ExportMenuProps) {
  const { view } = list;
  if (view.calls.export === undefined) return null;
  const rows = rowsText(view, total, isCapped);
  const reason = total === 0 ? 'There are no rows.' : undefined;

  return (
    <Menu
      trigger={
        <Button aria-label="Export" icon={<Download aria-hidden size={14} />}>
          <span className="hidden @min-[52rem]/list:inline">Export</span>
        </Button>
      }
    >
      {formatNames.map((format) => (
        <MenuItem
          key={format}
          disabledReason={reason}
          onSelect={() => save(list, { format, columns, count: total, isCapped })}
        >
          {rows} as {formats[format]}
        </MenuItem>
      ))}
    </Menu>
  );
}
