import { idlePart } from '../layout/idle-part.tsx';
import { RowMenu } from '../popup/row-menu.tsx';
import type { RecordMenuProps } from './record-menu-items.tsx';

const { Part: RecordMenuItems, useIdleLoad } = idlePart<RecordMenuProps>(
  async () => (await import('./record-menu-items.tsx')).RecordMenuItems,
);

/** Actions of one row of a data list (spec 2: row menu). */
export function RecordMenu(props: RecordMenuProps) {
  useIdleLoad();
  return (
    <RowMenu name={props.row.name}>
      <RecordMenuItems {...props} />
    </RowMenu>
  );
}
