import { useQueryClient } from '@tanstack/react-query';
import { Download, Trash2 } from 'lucide-react';
import { downloadRecord } from '../../lib/browser/save-as.ts';
import type { Entity } from '../../lib/entity/entity.ts';
import { useDelete } from '../../lib/entity/mutations.ts';
import { detailQuery } from '../../lib/entity/queries.ts';
import { useRefusal } from '../../lib/session/use-refusal.ts';
import { MenuItem } from '../popup/menu.tsx';
import { RowMenu } from '../popup/row-menu.tsx';

interface RecordMenuProps {
  entity: Entity;
  row: { readonly _id: string; readonly name: string };
}

/** Actions of one row of a data list (spec 2: row menu). */
export function RecordMenu({ entity, row: { _id, name } }: RecordMenuProps) {
  const queryClient = useQueryClient();
  const remove = useDelete(entity);
  return (
    <RowMenu name={name}>
      <MenuItem
        icon={<Download aria-hidden size={16} />}
        onSelect={() => void downloadRecord(() => queryClient.fetchQuery(detailQuery(entity, _id)))}
      >
        Download
      </MenuItem>
      <MenuItem
        danger
        disabledReason={useRefusal(entity.calls.delete.access)}
        icon={<Trash2 aria-hidden size={16} />}
        onSelect={() => remove.mutate(_id)}
      >
        Delete
      </MenuItem>
    </RowMenu>
  );
}
