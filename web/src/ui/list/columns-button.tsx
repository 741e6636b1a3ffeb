import { Columns3 } from 'lucide-react';
import { lazy, type ComponentProps } from 'react';
import { Button } from '../button/button.tsx';
import { Popover } from '../popup/popover.tsx';
import type { ColumnChooser as Chooser } from './column-chooser.tsx';

const ColumnChooser = lazy(async () => ({ default: (await import('./column-chooser.tsx')).ColumnChooser }));

/** Opens the choice of columns and density. */
export function ColumnsButton(props: ComponentProps<typeof Chooser>) {
  return (
    <Popover
      label="Columns"
      align="end"
      trigger={
        <Button aria-label="Columns" icon={<Columns3 aria-hidden size={14} />}>
          <span className="hidden sm:inline">Columns</span>
        </Button>
      }
    >
      <ColumnChooser {...props} />
    </Popover>
  );
}
