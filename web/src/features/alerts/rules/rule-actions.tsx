import { alertRules, etagOf, type AlertRule } from '@riskboard/contract';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { Pencil, Trash2 } from 'lucide-react';
import { useState } from 'react';
import { call } from '../../../lib/api/call.ts';
import { isMissing, messageOf } from '../../../lib/api/errors.ts';
import { useRefusal } from '../../../lib/session/use-refusal.ts';
import { nameText } from '../../../lib/format/name-text.ts';
import { IconButton } from '../../../ui/button/icon-button.tsx';
import { AlertDialog } from '../../../ui/dialog/alert-dialog.tsx';
import { attempt } from '../../../ui/feedback/attempt.ts';
import { toast } from '../../../ui/feedback/toast.ts';
import { Switch } from '../../../ui/input/switch.tsx';
import { rulesQuery } from '../queries.ts';
import { RuleDialog, useRuleDialog } from './rule-dialog.tsx';

interface RuleProps {
  rule: AlertRule;
}

/** Switches a rule on or off. The switch shows the new state while the call runs. */
export function EnableRule({ rule }: RuleProps) {
  const queryClient = useQueryClient();
  const refusal = useRefusal(alertRules.update.access);
  const { mutate, variables, isPending } = useMutation({
    mutationFn: (enabled: boolean) =>
      call(alertRules.update, { params: { id: rule._id }, body: { enabled } }),
    onError: (error) => void toast.error('Failed to change the rule', messageOf(error, 'Please try again.')),
    onSettled: () => queryClient.invalidateQueries({ queryKey: rulesQuery.queryKey }),
  });
  return (
    <Switch
      label={`Enable ${rule.name}`}
      hideLabel
      checked={isPending ? variables : rule.enabled}
      onChange={(enabled) => mutate(enabled)}
      disabledReason={refusal}
    />
  );
}

export function EditRule({ rule }: RuleProps) {
  const refusal = useRefusal(alertRules.update.access);
  const [open, setOpen] = useRuleDialog(rule);
  return (
    <>
      <IconButton
        size="sm"
        label={`Edit ${rule.name}`}
        icon={<Pencil aria-hidden size={14} />}
        disabledReason={refusal}
        onClick={() => setOpen(true)}
      />
      {open && <RuleDialog rule={rule} onClose={() => setOpen(false)} />}
    </>
  );
}

/** Deletes a rule after a confirmation, unless it was changed since it was loaded; Undo restores it. */
export function DeleteRule({ rule }: RuleProps) {
  const queryClient = useQueryClient();
  const refusal = useRefusal(alertRules.delete.access);
  const [asking, setAsking] = useState(false);
  const refresh = () => queryClient.invalidateQueries({ queryKey: rulesQuery.queryKey });

  async function undo(): Promise<void> {
    await attempt(() => call(alertRules.restore, { params: { id: rule._id } }), {
      done: `${nameText(rule.name)} restored`,
      failure: 'Failed to restore the rule',
    });
    await refresh();
  }

  async function remove(): Promise<void> {
    try {
      await call(alertRules.delete, {
        params: { id: rule._id },
        headers: { 'if-match': etagOf(rule.version) },
      });
      toast.success(`${nameText(rule.name)} deleted`, undefined, {
        action: { label: 'Undo', onClick: () => void undo() },
      });
    } catch (error) {
      // Another user has deleted it.
      if (!isMissing(error)) toast.error('Failed to delete the rule', messageOf(error, 'Please try again.'));
    }
    await refresh();
  }

  return (
    <>
      <IconButton
        size="sm"
        label={`Delete ${rule.name}`}
        icon={<Trash2 aria-hidden size={14} />}
        disabledReason={refusal}
        onClick={() => setAsking(true)}
      />
      <AlertDialog
        open={asking}
        onOpenChange={setAsking}
        title={`Delete ${nameText(rule.name)}?`}
        description="It creates no more alerts. Alerts that it has created stay in the inbox."
        confirmLabel="Delete"
        danger
        onConfirm={remove}
      />
    </>
  );
}
