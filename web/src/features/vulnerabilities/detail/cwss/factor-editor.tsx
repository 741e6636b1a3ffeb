import { cwss, type CwssExplanation } from '@riskboard/contract';
import { cwssValueOf, plural, scoreCwss, type CwssChoices, type CwssFactor } from '@riskboard/domain';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { call } from '../../../../lib/api/call.ts';
import { refetch } from '../../../../lib/entity/mutation-outcome.ts';
import { formRefusal } from '../../../../lib/form-refusal.ts';
import { Button } from '../../../../ui/button/button.tsx';
import { CwssEditor } from '../../../../ui/cwss/cwss-editor.tsx';
import { AlertDialog } from '../../../../ui/dialog/alert-dialog.tsx';
import { Drawer } from '../../../../ui/dialog/drawer.tsx';
import { UnsavedGuard } from '../../../../ui/dialog/unsaved-guard.tsx';
import { toast } from '../../../../ui/feedback/toast.ts';
import { RestoredNotice } from '../../../../ui/form/restored-notice.tsx';
import { useKeepDraft, useKeptFor } from '../../../../ui/form/use-kept-draft.ts';
import { FormError } from '../../../../ui/input/form-error.tsx';
import {
  bodyOf,
  changeDraft,
  conflictsOf,
  draftedChoices,
  keepDraft,
  refusedWeights,
  removeOverride,
  storedChoices,
  withoutDraft,
  withoutReason,
  type FactorDrafts,
} from './factor-drafts.ts';
import { FactorDraftDetail } from './factor-draft-detail.tsx';
import { differenceText, factorLabel, scoreText } from './factor-text.ts';
import { explanationQuery } from '../../../../lib/cwss/explanation-query.ts';

/** The factor at which the editor opens, and the value that is chosen for it. */
export interface EditorStart {
  factor?: CwssFactor;
  value?: string;
  /** Changes that an ended session left. */
  restored?: FactorDrafts;
}

export interface FactorEditorProps {
  id: string;
  /** The newest explanation; a change by another user arrives here while the editor is open. */
  explanation: CwssExplanation;
  start: EditorStart;
  onClose: () => void;
}

function startDrafts({ start: { factor, value, restored }, explanation }: FactorEditorProps): FactorDrafts {
  if (restored !== undefined) return restored;
  const weight = factor === undefined || value === undefined ? undefined : cwssValueOf(factor, value)?.weight;
  if (factor === undefined || value === undefined || weight === undefined) return {};
  return changeDraft({}, factor, { explained: explanation, choice: { code: value, weight } });
}

/** The control that receives the focus: a refused weight or reason, else the reason of the chosen value, else the value. */
const firstControl = (factor: CwssFactor | undefined) => ({
  get current(): HTMLElement | null {
    if (factor === undefined) return null;
    const row = document.querySelector(`[role=dialog] [data-factor="${factor}"]`);
    row?.scrollIntoView({ block: 'center' });
    return (
      ['[aria-invalid=true]', 'textarea', '[role=combobox]']
        .map((control) => row?.querySelector<HTMLElement>(control))
        .find((control) => control) ?? null
    );
  },
});

/** Sets factors with a reason each. Changes are saved per factor, so that those of other users stay. */
export function FactorEditor(props: FactorEditorProps) {
  const { id, explanation, start, onClose } = props;
  const queryClient = useQueryClient();
  const [drafts, setDrafts] = useState<FactorDrafts>(() => startDrafts(props));
  const [checked, setChecked] = useState(false);
  const [asking, setAsking] = useState(false);
  const count = Object.keys(drafts).length;
  const choices = draftedChoices(explanation, drafts);
  const refused = refusedWeights(drafts);
  const unexplained = withoutReason(drafts);

  const save = useMutation({
    mutationFn: async () => {
      // Another user may have changed a factor after the newest event.
      const newest = await queryClient.fetchQuery({ ...explanationQuery(id), staleTime: 0 });
      if (newest !== null && conflictsOf(newest, drafts).length > 0) return undefined;
      return call(cwss.setFactors, { params: { id }, body: bodyOf(drafts) });
    },
    // The event of the change may refetch the explanation before the reply arrives.
    onMutate: () => explanation.score,
    onSuccess(reply, _variables, before) {
      if (reply === undefined) return;
      if ('history' in reply) queryClient.setQueryData(explanationQuery(id).queryKey, reply);
      toast.success(
        'Factors saved',
        reply.score === null ? undefined : `CWSS ${scoreText(before)} → ${scoreText(reply.score)}`,
      );
      onClose();
    },
    onSettled: () => refetch(queryClient, 'vulnerabilities'),
  });
  // While the drafts are saved, the explanation may already contain them.
  const conflicts = save.isPending ? [] : conflictsOf(explanation, drafts);
  const refusal = save.error === null ? undefined : formRefusal(save.error);
  const errorAt = (factor: CwssFactor): string | undefined => {
    const refused = Object.entries(refusal?.fields ?? {}).find(([path]) => path.split('.')[0] === factor);
    if (refused !== undefined) return refused[1].message;
    return checked && unexplained.includes(factor) ? 'Enter a reason.' : undefined;
  };

  function submit(): void {
    setChecked(true);
    const [first] = [...(Object.keys(refused) as CwssFactor[]), ...unexplained, ...conflicts];
    if (first === undefined) return save.mutate();
    firstControl(first).current?.focus();
  }
  function edit(next: FactorDrafts): void {
    if (save.error !== null) save.reset();
    setDrafts(next);
  }
  const isUnsaved = count > 0 && save.data === undefined;
  // Each draft knows the stored value that it began with.
  useKeepDraft<FactorDrafts>(useKeptFor(), () =>
    isUnsaved ? { base: { version: undefined, values: {} }, values: drafts } : undefined,
  );
  const close = () => (count === 0 ? onClose() : setAsking(true));

  return (
    <>
      <Drawer
        open
        onOpenChange={(open) => !open && close()}
        title="Set factors"
        width={680}
        initialFocus={firstControl(start.factor)}
        footer={
          <div className="flex flex-wrap items-center justify-between gap-x-6 gap-y-3">
            <LiveScore explanation={explanation} choices={choices} count={count} />
            {conflicts.length > 0 && (
              <p className="text-sm text-warning">
                Changed by another user meanwhile: {conflicts.map(factorLabel).join(', ')}.
              </p>
            )}
            <span className="ml-auto flex gap-2">
              <Button onClick={close}>Cancel</Button>
              <Button variant="primary" busy={save.isPending} disabled={count === 0} onClick={submit}>
                Save
              </Button>
            </span>
          </div>
        }
      >
        {/* What is entered while the factors are being saved would be lost. */}
        <div inert={save.isPending} className="flex flex-col gap-4 p-4">
          <p className="text-sm text-muted">
            A value that you set replaces the suggestion until you remove it. The reason is shown with the
            score.
          </p>
          <RestoredNotice onDiscard={start.restored && onClose} />
          <FormError message={refusal?.form ?? null} />
          <CwssEditor
            choices={choices}
            onChange={(next) => {
              const factor = (Object.keys(next) as CwssFactor[]).find((one) => next[one] !== choices[one]);
              if (factor === undefined) return;
              edit(changeDraft(drafts, factor, { explained: explanation, choice: next[factor] }));
            }}
            refused={refused}
            onRefused={(factor, text) => {
              const change = { explained: explanation, choice: choices[factor], refused: text };
              edit(changeDraft(drafts, factor, change));
            }}
            renderDetail={(factor) => (
              <FactorDraftDetail
                factor={factor}
                explanation={explanation}
                draft={drafts[factor]}
                isConflict={conflicts.includes(factor)}
                error={errorAt(factor)}
                onReason={(reason) => edit(changeDraft(drafts, factor, { explained: explanation, reason }))}
                onRemove={() => edit(removeOverride(drafts, factor, explanation))}
                onDiscard={() => edit(withoutDraft(drafts, factor))}
                onKeep={() => edit(keepDraft(drafts, factor, explanation))}
              />
            )}
          />
        </div>
      </Drawer>
      <AlertDialog
        open={asking}
        onOpenChange={setAsking}
        title="Close without saving?"
        description="Your changes will be lost."
        confirmLabel="Discard"
        cancelLabel="Keep editing"
        onConfirm={onClose}
      >
        <p className="text-sm text-muted">
          {(Object.keys(drafts) as CwssFactor[]).map(factorLabel).join(', ')}
        </p>
      </AlertDialog>
      <UnsavedGuard when={isUnsaved} search={['version']} />
    </>
  );
}

interface LiveScoreProps {
  explanation: CwssExplanation;
  choices: CwssChoices;
  /** Changed factors. */
  count: number;
}

/** The score that the changes would give, computed in the browser. */
function LiveScore({ explanation, choices, count }: LiveScoreProps) {
  const next = scoreCwss(choices).score;
  const now = scoreCwss(storedChoices(explanation)).score;
  return (
    <output aria-label="Score with the changes" className="flex items-baseline gap-2 tabular-nums">
      <span className="text-lg font-semibold">{scoreText(next)}</span>
      <span className="text-sm text-muted">
        {count === 0
          ? '/100, no changes'
          : `/100, ${differenceText(next - now)} with ${plural(count, 'change')}`}
      </span>
    </output>
  );
}
