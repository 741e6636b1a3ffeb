import { plural } from '@riskboard/domain';
import { LazyAlertDialog } from '../../ui/dialog/lazy-alert-dialog.ts';
import { useVignetteActions, type NamedVignette } from './use-vignette-actions.ts';

interface DeleteVignetteProps {
  vignette: NamedVignette;
  open: boolean;
  onClose: () => void;
  /** Called after the vignette was deleted. */
  onDeleted?: () => void;
}

/** What a deletion does to the scores that apply the vignette. */
function consequence(vulnerabilities: number): string {
  if (vulnerabilities === 0) return 'No vulnerability is scored with it.';
  const [subject, verb] =
    vulnerabilities === 1 ? ['It keeps its score', 'is'] : ['They keep their scores', 'are'];
  return `${plural(vulnerabilities, 'vulnerability', 'vulnerabilities')} ${verb} scored with it. ${subject}, marked as stale, until scored with another vignette.`;
}

/** Confirms the deletion of a vignette. */
export function DeleteVignette({ vignette, open, onClose, onDeleted }: DeleteVignetteProps) {
  const { remove } = useVignetteActions();
  const { name, version, vulnerabilities } = vignette;
  return (
    <LazyAlertDialog
      open={open}
      onOpenChange={(next) => !next && onClose()}
      title="Are you absolutely sure?"
      description={`This action cannot be undone. This will permanently delete the vignette with ${version === 1 ? 'its only version' : `all ${version} versions`}. ${consequence(vulnerabilities)}`}
      confirmLabel="Delete"
      danger
      onConfirm={async () => {
        if (await remove(vignette)) onDeleted?.();
      }}
    >
      <p className="truncate text-sm font-medium" title={name}>
        {name}
      </p>
    </LazyAlertDialog>
  );
}
