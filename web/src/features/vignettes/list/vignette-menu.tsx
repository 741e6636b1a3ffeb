import { vignettes, type VignetteSummary } from '@riskboard/contract';
import { Link, useNavigate } from '@tanstack/react-router';
import { Copy, Download, Grid3x3, Pencil, Trash2 } from 'lucide-react';
import { useState } from 'react';
import { useRefusal } from '../../../lib/session/use-refusal.ts';
import { MenuItem, MenuLink, MenuSeparator } from '../../../ui/popup/menu.tsx';
import { RowMenu } from '../../../ui/popup/row-menu.tsx';
import { DeleteVignette } from '../delete-vignette.tsx';
import { useVignetteActions } from '../use-vignette-actions.ts';

/** Actions on one vignette. */
export function VignetteMenu({ vignette }: { vignette: VignetteSummary }) {
  const { _id: id, name } = vignette;
  const { download } = useVignetteActions();
  const navigate = useNavigate();
  const [deleting, setDeleting] = useState(false);
  const [dialogMounted, setDialogMounted] = useState(false);
  return (
    <>
      <RowMenu name={name}>
        <MenuLink
          icon={<Grid3x3 aria-hidden size={16} />}
          link={<Link to="/dashboard/reports/vignettes/$id" params={{ id }} />}
        >
          Open
        </MenuLink>
        <MenuItem
          icon={<Pencil aria-hidden size={16} />}
          disabledReason={useRefusal(vignettes.update.access)}
          onSelect={() => void navigate({ to: '/dashboard/reports/vignettes/$id/edit', params: { id } })}
        >
          Edit
        </MenuItem>
        <MenuItem
          icon={<Copy aria-hidden size={16} />}
          disabledReason={useRefusal(vignettes.create.access)}
          onSelect={() => void navigate({ to: '/dashboard/reports/vignettes/new', search: { from: id } })}
        >
          Duplicate
        </MenuItem>
        <MenuItem icon={<Download aria-hidden size={16} />} onSelect={() => void download(vignette)}>
          Download
        </MenuItem>
        <MenuSeparator />
        <MenuItem
          danger
          icon={<Trash2 aria-hidden size={16} />}
          disabledReason={useRefusal(vignettes.delete.access)}
          onSelect={() => {
            setDialogMounted(true);
            setDeleting(true);
          }}
        >
          Delete
        </MenuItem>
      </RowMenu>
      {/* A list has many of these menus: the dialog mounts on first use. */}
      {dialogMounted && (
        <DeleteVignette vignette={vignette} open={deleting} onClose={() => setDeleting(false)} />
      )}
    </>
  );
}
