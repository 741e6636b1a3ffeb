import { ChevronDown, ChevronUp, GripVertical } from 'lucide-react';
import { useState, type RefObject } from 'react';
import { formatList } from '../../lib/format/format.ts';
import { useWidth } from '../../lib/hooks/use-width.ts';
import {
  densities,
  isChosen,
  isShown,
  ordered,
  standardLayout,
  withMoved,
  withShown,
  type ArrangedColumn,
  type ListLayout,
} from '../../lib/list/list-layout.ts';
import { Button } from '../button/button.tsx';
import { IconButton } from '../button/icon-button.tsx';
import { Checkbox } from '../input/checkbox.tsx';
import { Segmented } from '../input/segmented.tsx';
import { hasRoom } from '../table/column-widths.ts';
import type { ColumnMeta } from '../table/list-columns.ts';
import type { TableColumn } from './define-list-view.ts';

type ArrangeableColumn = ArrangedColumn &
  Pick<TableColumn<object>, 'label'> & { readonly column: { readonly meta?: ColumnMeta | undefined } };

export interface ColumnChooserProps {
  columns: readonly ArrangeableColumn[];
  layout: ListLayout;
  onLayout: (layout: ListLayout) => void;
  /** The table's scroll region, whose width decides which columns have room. */
  region: RefObject<HTMLElement | null>;
}

const densityLabels = { comfortable: 'Comfortable', compact: 'Compact' } as const;
const densityItems = densities.map((value) => ({ value, label: densityLabels[value] }));

/** Column visibility, order and density of a table; columns move by buttons or dragging. */
export function ColumnChooser({ columns, layout, onLayout, region }: ColumnChooserProps) {
  const width = useWidth(region) ?? Number.POSITIVE_INFINITY;
  const [dragged, setDragged] = useState<string>();
  const all = ordered(columns, layout).filter(({ fixed }) => fixed !== 'last');
  const withoutRoom = all.filter(
    (one) => isShown(one, layout) && !isChosen(one, layout) && !hasRoom(one.column.meta, width),
  );
  const movable = all.filter(({ fixed }) => fixed === undefined);
  const move = (id: string, to: number) => onLayout(withMoved(columns, layout, { id, to }));
  const indexOf = (id: string) => all.findIndex((column) => column.id === id);

  return (
    <div className="flex min-h-0 flex-col">
      <div className="flex flex-col gap-3 border-b p-3">
        <Segmented
          label="Density"
          items={densityItems}
          value={layout.density}
          onChange={(density) => onLayout({ ...layout, density })}
        />
        <Checkbox
          label={`Pin the column ${all.find(({ column }) => column.meta?.rowHeader)?.label ?? ''}`}
          checked={layout.pinned}
          onChange={(pinned) => onLayout({ ...layout, pinned })}
        />
        {withoutRoom.length > 0 && (
          <p className="max-w-64 text-sm text-muted">
            The table has no room for {formatList(withoutRoom.map(({ label }) => label))}. Tick a column to
            show it anyway; the table then scrolls sideways.
          </p>
        )}
      </div>
      <ul aria-label="Columns" className="max-h-80 min-h-0 overflow-y-auto py-1">
        {all.map((column) => {
          const { id, label, fixed, required } = column;
          const index = movable.findIndex((one) => one.id === id);
          return (
            // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- the buttons do the same (WCAG 2.5.7)
            <li
              key={id}
              draggable={fixed === undefined}
              onDragStart={(event) => {
                event.dataTransfer.effectAllowed = 'move';
                setDragged(id);
              }}
              onDragEnd={() => setDragged(undefined)}
              onDragOver={(event) => {
                if (dragged === undefined || fixed !== undefined) return;
                event.preventDefault();
                if (dragged !== id) move(dragged, indexOf(id));
              }}
              className={`flex min-h-8 items-center gap-1 pr-2 pl-1 ${dragged === id ? 'bg-accent-soft' : 'hover:bg-hover'}`}
            >
              <GripVertical
                aria-hidden
                size={14}
                className={fixed === undefined ? 'cursor-grab text-muted' : 'invisible'}
              />
              <span className="min-w-0 grow">
                <Checkbox
                  label={label}
                  checked={isShown(column, layout) && !withoutRoom.includes(column)}
                  disabled={fixed !== undefined || required}
                  onChange={(show) => onLayout(withShown(layout, column, show))}
                />
              </span>
              {fixed === undefined && (
                <>
                  <IconButton
                    label={`Move ${label} up`}
                    size="sm"
                    icon={<ChevronUp aria-hidden size={14} />}
                    disabled={index === 0}
                    onClick={() => move(id, indexOf(id) - 1)}
                  />
                  <IconButton
                    label={`Move ${label} down`}
                    size="sm"
                    icon={<ChevronDown aria-hidden size={14} />}
                    disabled={index === movable.length - 1}
                    onClick={() => move(id, indexOf(id) + 1)}
                  />
                </>
              )}
            </li>
          );
        })}
      </ul>
      <div className="border-t p-2">
        <Button
          size="sm"
          variant="ghost"
          onClick={() => onLayout({ ...standardLayout, density: layout.density })}
        >
          Reset columns
        </Button>
      </div>
    </div>
  );
}
