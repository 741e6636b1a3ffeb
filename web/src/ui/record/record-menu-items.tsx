import { useQueryClient } from '@tanstack/react-query';
import { Download, Trash2 } from 'lucide-react';
import { downloadRecord } from '../../lib/browser/save-as.ts';
import type { Entity } from '../../lib/entity/entity.ts';
import { useDelete } from '../../lib/entity/deletions.ts';
import { detailQuery } from '../../lib/entity/queries.ts';
import { useRefusal } from '../../lib/session/use-refusal.ts';
import { MenuItem } from '../popup/menu.tsx';

export interface RecordMenuProps {
  entity: Entity;
  row: { readonly _id: string; readonly name: string };
}

/** Items of the menu of a row: they come with every change of records, so they load apart from the list. */
export function RecordMenuItems({ entity, row: { _id } }: RecordMenuProps) {
  const queryClient = useQueryClient();
  const remove = useDelete(entity);
  return (
    <>
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
    </>
  );
}
