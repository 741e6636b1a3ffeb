import type { Project } from '@riskboard/contract';
import { useRouter } from '@tanstack/react-router';
import { Pencil, Trash2 } from 'lucide-react';
import { useState } from 'react';
import { useDelete } from '../../../lib/entity/deletions.ts';
import { pagesOf } from '../../../lib/entity/entity.ts';
import { useRefusal } from '../../../lib/session/use-refusal.ts';
import { lazyPart } from '../../../ui/layout/lazy-part.tsx';
import { MenuItem } from '../../../ui/popup/menu.tsx';
import { RowMenu } from '../../../ui/popup/row-menu.tsx';
import { project as entity } from '../project.ts';

const DeleteProject = lazyPart(async () => (await import('../detail/delete-project.tsx')).DeleteProject);

/** Actions on the project of a card. */
export function ProjectMenu({ project }: { project: Project }) {
  const { _id: id, name } = project;
  const router = useRouter();
  const [asking, setAsking] = useState(false);
  const { mutate: remove } = useDelete(entity);
  const noEdit = useRefusal(entity.calls.update.access);
  const noDelete = useRefusal(entity.calls.delete.access);
  return (
    <>
      <RowMenu name={name}>
        <MenuItem
          icon={<Pencil aria-hidden size={16} />}
          disabledReason={noEdit}
          onSelect={() => void router.navigate({ to: pagesOf('projects').edit, params: { id } })}
        >
          Edit
        </MenuItem>
        <MenuItem
          danger
          icon={<Trash2 aria-hidden size={16} />}
          disabledReason={noDelete}
          onSelect={() => setAsking(true)}
        >
          Delete
        </MenuItem>
      </RowMenu>
      {asking && (
        <DeleteProject record={project} onClose={() => setAsking(false)} onConfirm={() => remove(id)} />
      )}
    </>
  );
}
