import { vignettes, type Vignette } from '@riskboard/contract';
import { useNavigate } from '@tanstack/react-router';
import { Copy, Download, Pencil, Trash2 } from 'lucide-react';
import { useMemo, useState } from 'react';
import { useCommands, type Command } from '../../../lib/browser/commands.ts';
import { useStable } from '../../../lib/hooks/use-stable.ts';
import { useRefusal } from '../../../lib/session/use-refusal.ts';
import { ButtonWithReason } from '../../../ui/button/button-with-reason.tsx';
import { Button } from '../../../ui/button/button.tsx';
import { LinkButton } from '../../../ui/button/link-button.tsx';
import { DeleteVignette } from '../delete-vignette.tsx';
import { useVignetteActions } from '../use-vignette-actions.ts';

/** Download, Duplicate, Delete and Edit, as buttons and in the palette. */
export function VignetteActions({ vignette }: { vignette: Vignette }) {
  const { _id: id, name } = vignette;
  const navigate = useNavigate();
  const { download } = useVignetteActions();
  const [deleting, setDeleting] = useState(false);
  const noCreate = useRefusal(vignettes.create.access);
  const noUpdate = useRefusal(vignettes.update.access);
  const noDelete = useRefusal(vignettes.delete.access);
  const edit = useStable(
    () => void navigate({ to: '/dashboard/reports/vignettes/$id/edit', params: { id } }),
  );
  const duplicate = useStable(
    () => void navigate({ to: '/dashboard/reports/vignettes/new', search: { from: id } }),
  );
  const save = useStable(() => void download(vignette));
  const commands = useMemo<readonly Command[]>(
    () =>
      [
        { label: 'Edit vignette', Icon: Pencil, refusal: noUpdate, run: edit },
        { label: 'Duplicate vignette', Icon: Copy, refusal: noCreate, run: duplicate },
        { label: 'Download vignette', Icon: Download, refusal: undefined, run: save },
        { label: 'Delete vignette', Icon: Trash2, refusal: noDelete, run: () => setDeleting(true) },
      ].map(({ Icon, ...command }) => ({
        ...command,
        id: command.label,
        group: 'This record' as const,
        about: name,
        icon: <Icon aria-hidden size={16} />,
      })),
    [name, noCreate, noUpdate, noDelete, edit, duplicate, save],
  );
  useCommands(commands);
  return (
    <>
      <Button icon={<Download aria-hidden size={14} />} onClick={save}>
        Download
      </Button>
      <ButtonWithReason icon={<Copy aria-hidden size={14} />} disabledReason={noCreate} onClick={duplicate}>
        Duplicate
      </ButtonWithReason>
      <ButtonWithReason
        icon={<Trash2 aria-hidden size={14} />}
        disabledReason={noDelete}
        onClick={() => setDeleting(true)}
      >
        Delete
      </ButtonWithReason>
      <LinkButton
        variant="primary"
        to="/dashboard/reports/vignettes/$id/edit"
        params={{ id }}
        icon={<Pencil aria-hidden size={14} />}
        disabledReason={noUpdate}
      >
        Edit
      </LinkButton>
      <DeleteVignette
        vignette={vignette}
        open={deleting}
        onClose={() => setDeleting(false)}
        onDeleted={() => void navigate({ to: '/dashboard/reports/vignettes' })}
      />
    </>
  );
}
