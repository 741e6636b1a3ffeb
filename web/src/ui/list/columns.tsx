import type { RowData } from '@tanstack/react-table';
import { Columns3 } from 'lucide-react';
import { useMemo } from 'react';
import { isChosen, isShown, ordered, type ListLayout } from '../../lib/list/list-layout.ts';
import { Button } from '../button/button.tsx';
import { Popover } from '../popup/popover.tsx';
import type { ListColumn } from '../table/list-columns.ts';
import type { ColumnChooserProps } from './column-chooser.tsx';
import type { TableColumn } from './define-list-view.ts';
import { idlePart } from '../layout/idle-part.tsx';

const { Part: ColumnChooser, useIdleLoad } = idlePart<ColumnChooserProps>(
  async () => (await import('./column-chooser.tsx')).ColumnChooser,
);

/** Opens the column and density settings. */
export function ColumnsButton(props: ColumnChooserProps) {
  useIdleLoad();
  return (
    <Popover
      label="Columns"
      align="end"
      trigger={
        <Button aria-label="Columns" icon={<Columns3 aria-hidden size={14} />}>
          <span className="hidden @min-[52rem]/list:inline">Columns</span>
        </Button>
      }
    >
      <ColumnChooser {...props} />
    </Popover>
  );
}

/** The visible columns in the user's order. A column that the user has chosen is in tables of every width. */
export function useColumns<Row extends object & RowData>(
  columns: readonly TableColumn<Row>[],
  layout: ListLayout,
): ListColumn<Row>[] {
  return useMemo(
    () =>
      ordered(columns, layout)
        .filter((column) => isShown(column, layout))
        .map((shown) => {
          const { column } = shown;
          if (!isChosen(shown, layout) || column.meta === undefined) return column;
          return { ...column, meta: { ...column.meta, from: undefined } };
        }),
    [columns, layout],
  );
}
