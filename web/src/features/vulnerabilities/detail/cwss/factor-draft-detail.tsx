import type { CwssExplanation } from '@riskboard/contract';
import type { CwssFactor } from '@riskboard/domain';
import { Field as Base } from '@base-ui/react/field';
import { cx } from 'class-variance-authority';
import { Undo2 } from 'lucide-react';
import { Button } from '../../../../ui/button/button.tsx';
import { valueLabel } from '../../../../ui/cwss/cwss-text.ts';
import { Notice } from '../../../../ui/feedback/notice.tsx';
import { Field } from '../../../../ui/input/field.tsx';
import { textareaStyle } from '../../../../ui/input/input-style.ts';
import { Time } from '../../../../ui/text/time.tsx';
import { suggestionOf, type FactorDraft } from './factor-drafts.ts';
import { factorLabel, weightLabel } from './factor-text.ts';
import { SourceBadge } from './source-badge.tsx';

interface FactorDraftDetailProps {
  factor: CwssFactor;
  explanation: CwssExplanation;
  draft: FactorDraft | undefined;
  /** Another user set or removed the factor since the change began. */
  isConflict: boolean;
  error: string | undefined;
  onReason: (reason: string) => void;
  /** Removes the stored value of the analyst. */
  onRemove: () => void;
  /** Drops the change. */
  onDiscard: () => void;
  /** Keeps the change although another user changed the factor. */
  onKeep: () => void;
}

/** Below a factor of the editor: where its value comes from, the reason of a change, and a change by another user. */
export function FactorDraftDetail(props: FactorDraftDetailProps) {
  const { factor, explanation, draft, isConflict } = props;
  const stored = explanation.overrides[factor];
  const isEdited = draft !== undefined;
  return (
    <div className="flex flex-col gap-2 pt-1">
      {stored !== undefined && !isConflict && <Stored {...props} />}
      <Suggestion factor={factor} explanation={explanation} />
      {stored !== undefined && !isEdited && <StoredActions {...props} />}
      {isConflict && <Conflict {...props} />}
      {isEdited && <Change {...props} draft={draft} />}
    </div>
  );
}

/** The value that the product derives, with its reason. */
function Suggestion({ factor, explanation }: Pick<FactorDraftDetailProps, 'factor' | 'explanation'>) {
  const explained = explanation.factors.find(({ code }) => code === factor);
  const suggestion = suggestionOf(explanation, factor);
  if (explained === undefined || suggestion === undefined) return null;
  return (
    <p className="flex flex-wrap items-center gap-x-2 gap-y-1 text-sm text-muted">
      {explained.source !== 'analyst' && <SourceBadge source={explained.source} />}
      <span className="min-w-0 break-words">
        Suggested: {valueLabel(factor, suggestion.value)} ({weightLabel(suggestion.weight)}).{' '}
        {suggestion.reason}
      </span>
    </p>
  );
}

/** What an analyst stored; it stays readable while it is changed. */
function Stored({ factor, explanation }: FactorDraftDetailProps) {
  const stored = explanation.overrides[factor];
  if (stored === undefined) return null;
  return (
    <p className="flex flex-wrap items-baseline gap-x-2 gap-y-1 text-sm text-muted">
      <SourceBadge source="analyst" />
      <span className="min-w-0 break-words whitespace-pre-line text-text">
        {valueLabel(factor, stored.value)} ({weightLabel(stored.weight)}): {stored.reason}
      </span>
      <span>
        {stored.by}, <Time value={stored.at} />
      </span>
    </p>
  );
}

function StoredActions({ factor, explanation, onRemove, onReason }: FactorDraftDetailProps) {
  return (
    <span className="flex flex-wrap gap-2">
      <Button size="sm" icon={<Undo2 aria-hidden size={14} />} onClick={onRemove}>
        Use suggestion<span className="sr-only"> for {factorLabel(factor)}</span>
      </Button>
      <Button
        size="sm"
        variant="ghost"
        onClick={() => onReason(`${explanation.overrides[factor]?.reason ?? ''} `)}
      >
        Change reason<span className="sr-only"> of {factorLabel(factor)}</span>
      </Button>
    </span>
  );
}

/** What another user stored meanwhile; the reasons of both are readable before one replaces the other. */
function Conflict({ factor, explanation, onDiscard, onKeep }: FactorDraftDetailProps) {
  const theirs = explanation.overrides[factor];
  return (
    <div role="alert">
      <Notice tone="warning">
        <p className="break-words whitespace-pre-line">
          {theirs === undefined
            ? 'The value that an analyst had set was removed meanwhile.'
            : `${theirs.by || 'Another user'} set ${valueLabel(factor, theirs.value)} (${weightLabel(theirs.weight)}) meanwhile: “${theirs.reason}”`}
        </p>
        <span className="mt-2 flex flex-wrap gap-2">
          <Button size="sm" onClick={onDiscard}>
            Discard my change
          </Button>
          <Button size="sm" onClick={onKeep}>
            Keep my change
          </Button>
        </span>
      </Notice>
    </div>
  );
}

/** The reason of a change, or that the suggestion will be used again. */
function Change(props: FactorDraftDetailProps & { draft: FactorDraft }) {
  const { factor, explanation, draft, error, onReason, onDiscard } = props;
  const undo = (
    <Button size="sm" variant="ghost" icon={<Undo2 aria-hidden size={14} />} onClick={onDiscard}>
      Undo change<span className="sr-only"> of {factorLabel(factor)}</span>
    </Button>
  );
  if (draft.choice === null) {
    const suggestion = suggestionOf(explanation, factor);
    return (
      <p className="flex flex-wrap items-center gap-2 text-sm">
        <span className="min-w-0">
          The suggestion will be used again
          {suggestion !== undefined &&
            `: ${valueLabel(factor, suggestion.value)} (${weightLabel(suggestion.weight)})`}
          .
        </span>
        {undo}
      </p>
    );
  }
  return (
    <Field label={`Reason for ${factorLabel(factor)}`} required error={error} aside={undo}>
      <Base.Control
        value={draft.reason}
        onValueChange={onReason}
        aria-required
        maxLength={2000}
        render={<textarea rows={2} />}
        className={cx(textareaStyle, 'max-h-60 min-h-16')}
      />
    </Field>
  );
}
