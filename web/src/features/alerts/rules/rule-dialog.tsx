import { alertRuleKinds, alertRules, etagOf, type AlertRule, type AlertRuleKind } from '@riskboard/contract';
import { isVisible } from '@riskboard/domain';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { call } from '../../../lib/api/call.ts';
import { ApiError } from '../../../lib/api/errors.ts';
import { keptDraft } from '../../../lib/session/kept-draft.ts';
import { useSubmit } from '../../../lib/hooks/use-submit.ts';
import { FormDialog } from '../../../ui/dialog/form-dialog.tsx';
import { Notice } from '../../../ui/feedback/notice.tsx';
import { toast } from '../../../ui/feedback/toast.ts';
import { useKeepDraft, useKeptFor, useRestoredDraft, type KeptFor } from '../../../ui/form/use-kept-draft.ts';
import { Input } from '../../../ui/input/input.tsx';
import { RadioList } from '../../../ui/input/radio-list.tsx';
import { rulesQuery } from '../queries.ts';
import { RuleChannels } from './rule-channels.tsx';
import { RuleCondition } from './rule-condition.tsx';
import { kindDescriptions } from './rule-texts.ts';
import { changedFields, fieldsOf, newRule, valuesOf, type RuleValues } from './rule-values.ts';

const kinds = Object.entries(alertRuleKinds).map(([kind, { label }]) => ({
  value: kind as AlertRuleKind,
  label,
  description: kindDescriptions[kind as AlertRuleKind],
}));

/** The page has a dialog for each rule. */
function useRuleKeptFor(rule: AlertRule | undefined): KeptFor {
  const { owner, path } = useKeptFor();
  return { owner, path: `${path}#${rule?._id ?? 'new'}` };
}

/** Whether the dialog of a rule, or of a new one, is open: at first if an ended session has left input in it. */
export function useRuleDialog(rule?: AlertRule) {
  const { owner, path } = useRuleKeptFor(rule);
  return useState(() => keptDraft(owner, path) !== undefined);
}

interface RuleDialogProps {
  /** The rule to edit; absent: a new one. */
  rule?: AlertRule;
  onClose: () => void;
}

/** Creates or changes a rule. The kind decides the fields, and stays. */
export function RuleDialog({ rule: newest, onClose }: RuleDialogProps) {
  const queryClient = useQueryClient();
  // As it was opened: an event may load the rule again, and what another user changed is no change of this form.
  const [rule] = useState(newest);
  const keptFor = useRuleKeptFor(rule);
  const [restored] = useRestoredDraft<RuleValues>(keptFor);
  const [base] = useState(
    restored?.base ?? { version: rule?.version, values: rule === undefined ? newRule : valuesOf(rule) },
  );
  const [values, setValues] = useState(restored?.values ?? base.values);
  const [version, setVersion] = useState(base.version);
  const set = (change: Partial<RuleValues>) => setValues((before) => ({ ...before, ...change }));

  useKeepDraft(keptFor, () =>
    JSON.stringify(values) === JSON.stringify(base.values)
      ? undefined
      : { base: { ...base, version }, values },
  );

  async function update(id: string, body: Partial<ReturnType<typeof fieldsOf>>): Promise<AlertRule> {
    try {
      return await call(alertRules.update, {
        params: { id },
        body,
        ...(version !== undefined && { headers: { 'if-match': etagOf(version) } }),
      });
    } catch (error) {
      if (!(error instanceof ApiError) || error.status !== 412) throw error;
      await queryClient.refetchQueries({ queryKey: rulesQuery.queryKey });
      const current = queryClient.getQueryData(rulesQuery.queryKey)?.find(({ _id }) => _id === id);
      if (current === undefined) throw new Error('This rule was deleted by another user.', { cause: error });
      setVersion(current.version);
      throw new Error('Another user changed this rule meanwhile. Save again to apply your changes to it.', {
        cause: error,
      });
    }
  }

  const submission = useSubmit(
    (schemas) => (rule === undefined ? schemas.alertRules.create.body : schemas.alertRules.update.body),
    (body) =>
      rule === undefined
        ? call(alertRules.create, { body: { ...body, kind: values.kind, name: body.name ?? '' } })
        : update(rule._id, body),
    async (saved) => {
      await queryClient.invalidateQueries({ queryKey: rulesQuery.queryKey });
      toast.success(rule === undefined ? 'Rule created' : 'Rule saved', saved.name);
      onClose();
    },
  );

  function chooseKind(kind: AlertRuleKind): void {
    // A name that the user typed stays.
    const isSuggested = !isVisible(values.name) || values.name === alertRuleKinds[values.kind].label;
    set({ kind, ...(isSuggested && { name: alertRuleKinds[kind].label }) });
  }

  return (
    <FormDialog
      title={rule === undefined ? 'New alert rule' : 'Edit alert rule'}
      description={rule === undefined ? undefined : kindDescriptions[rule.kind]}
      submitLabel={rule === undefined ? 'Create rule' : 'Save'}
      submission={submission}
      onSubmit={() =>
        submission.submit(
          rule === undefined
            ? { kind: values.kind, ...fieldsOf(values) }
            : changedFields(values, base.values),
        )
      }
      onClose={onClose}
    >
      {restored !== undefined && <Notice>Your unsaved changes were restored.</Notice>}
      {rule === undefined && (
        <RadioList label="Create an alert when" items={kinds} value={values.kind} onChange={chooseKind} />
      )}
      <RuleCondition values={values} onChange={set} errorAt={submission.errorAt} />
      <Input
        label="Name"
        name="name"
        autoComplete="off"
        maxLength={100}
        value={values.name}
        onChange={(name) => set({ name })}
        error={submission.errorAt('name')}
      />
      <RuleChannels values={values} onChange={set} errorAt={submission.errorAt} />
    </FormDialog>
  );
}
