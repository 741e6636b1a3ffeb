import { nothingImportedDays, watchedScores, type WatchedScore } from '@riskboard/contract';
import type { Submission } from '../../../lib/hooks/use-submit.ts';
import { Input } from '../../../ui/input/input.tsx';
import { Select } from '../../../ui/input/select.tsx';
import type { RuleValues } from './rule-values.ts';

export interface RulePartProps {
  values: RuleValues;
  onChange: (change: Partial<RuleValues>) => void;
  errorAt: Submission['errorAt'];
}

const scores = Object.entries(watchedScores).map(([value, { label }]) => ({
  value: value as WatchedScore,
  label,
}));

/** The fields that the kind of a rule needs; empty for the other kinds. */
export function RuleCondition({ values, onChange, errorAt }: RulePartProps) {
  const { kind, score, threshold, days } = values;
  const { greatest } = watchedScores[score];
  if (kind === 'nothing-imported')
    return (
      <Input
        label="Days without an import"
        name="days"
        inputMode="numeric"
        autoComplete="off"
        value={days}
        onChange={(text) => onChange({ days: text.replaceAll(/\D/gu, '').slice(0, 3) })}
        hint={`${nothingImportedDays.least} to ${nothingImportedDays.most} days.`}
        error={
          errorAt('days') === undefined
            ? undefined
            : `Enter ${nothingImportedDays.least} to ${nothingImportedDays.most} days.`
        }
      />
    );
  if (kind !== 'score-above') return null;
  return (
    <div className="flex flex-col gap-3">
      <Select label="Score" items={scores} value={score} onChange={(next) => onChange({ score: next })} />
      <Input
        label="Alert above"
        name="threshold"
        inputMode="decimal"
        autoComplete="off"
        value={threshold}
        onChange={(text) => onChange({ threshold: text })}
        hint={`0 to ${greatest}. The alert is created when the score rises above this value.`}
        error={errorAt('threshold') === undefined ? undefined : `Enter a number from 0 to ${greatest}.`}
      />
    </div>
  );
}
