import type { RowData } from '@tanstack/react-table';
import { useMemo } from 'react';
import { isShown, ordered, type ListLayout } from '../../lib/list/list-layout.ts';
import type { ListColumn } from '../table/list-columns.ts';
import type { TableColumn } from './define-list-view.ts';

/** The columns in sight, in the person's order. One that a person asked for stays on narrow screens too. */
export function useColumns<Row extends object & RowData>(
  columns: readonly TableColumn<Row>[],
  layout: ListLayout,
): ListColumn<Row>[] {
  return useMemo(
    () =>
      ordered(columns, layout)
        .filter((column) => isShown(column, layout))
        .map(({ id, hidden, column }) => {
          const { meta } = column;
          if (hidden !== true || layout.shown[id] !== true || meta === undefined) return column;
          return { ...column, meta: { ...meta, from: undefined } };
        }),
    [columns, layout],
  );
}
