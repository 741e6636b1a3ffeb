import { ChevronDown, ChevronUp, GripVertical } from 'lucide-react';
import { useState } from 'react';
import {
  densities,
  isShown,
  ordered,
  standardLayout,
  withMoved,
  withShown,
  type ListLayout,
} from '../../lib/list/list-layout.ts';
import { Button } from '../button/button.tsx';
import { IconButton } from '../button/icon-button.tsx';
import { Checkbox } from '../input/checkbox.tsx';
import { Segmented } from '../input/segmented.tsx';
import type { TableColumn } from './define-list-view.ts';

export interface ColumnChooserProps {
  columns: readonly Pick<TableColumn<object>, 'id' | 'label' | 'hidden' | 'fixed' | 'required'>[];
  layout: ListLayout;
  onLayout: (layout: ListLayout) => void;
}

const densityLabels = { comfortable: 'Comfortable', compact: 'Compact' } as const;
const densityItems = densities.map((value) => ({ value, label: densityLabels[value] }));

/** Column visibility, order and density of a table; columns move by buttons or dragging. */
export function ColumnChooser({ columns, layout, onLayout }: ColumnChooserProps) {
  const [dragged, setDragged] = useState<string>();
  const all = ordered(columns, layout).filter(({ fixed }) => fixed !== 'last');
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
          label="Pin the first column"
          checked={layout.pinned}
          onChange={(pinned) => onLayout({ ...layout, pinned })}
        />
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
                  checked={isShown(column, layout)}
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
