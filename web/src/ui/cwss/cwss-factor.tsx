import {
  cwssFactors,
  cwssValueOf,
  quantified,
  weightText,
  weightUnit,
  type CwssChoice,
  type CwssFactor as FactorCode,
  type CwssFactorRules,
} from '@riskboard/domain';
import { useId, useState, type ReactNode } from 'react';
import { inputStyle } from '../input/input-style.ts';
import { Select } from '../input/select.tsx';

interface CwssFactorProps {
  factor: FactorCode;
  choice: CwssChoice;
  detail?: ReactNode;
  onChange: (choice: CwssChoice) => void;
}

/** One factor: its name, what it measures, and its value; a quantified one has a weight of its own. */
export function CwssFactor({ factor, choice, detail, onChange }: CwssFactorProps) {
  const { label, about, values }: CwssFactorRules = cwssFactors[factor];
  const items = [
    ...values.map((one) => ({ value: one.code, label: `${one.label} (${weightText(one.weight)})` })),
    { value: quantified, label: 'Quantified' },
  ];
  function choose(code: string): void {
    onChange({ code, weight: cwssValueOf(factor, code)?.weight ?? choice.weight });
  }
  return (
    <div
      data-factor={factor}
      className="flex scroll-mt-4 flex-wrap items-center justify-between gap-x-4 gap-y-1 px-4 py-2"
    >
      <div className="min-w-0 grow basis-64">
        <p className="flex items-baseline gap-2 font-medium">
          {label} <code className="font-mono text-xs font-normal text-muted">{factor}</code>
        </p>
        <p className="text-sm text-muted">{about}</p>
      </div>
      <div className="flex items-center gap-2">
        {choice.code === quantified && (
          <WeightInput
            key={choice.weight}
            label={`Weight of ${label}`}
            weight={choice.weight}
            onChange={(weight) => onChange({ code: quantified, weight })}
          />
        )}
        <Select label={label} hideLabel items={items} value={choice.code} onChange={choose} />
      </div>
      {detail !== undefined && <div className="w-full">{detail}</div>}
    </div>
  );
}

interface WeightInputProps {
  label: string;
  /** In units of 1/10,000. */
  weight: number;
  onChange: (weight: number) => void;
}

/** A weight from 0 to 1 with at most four decimals; an invalid one is marked and not used. */
function WeightInput({ label, weight, onChange }: WeightInputProps) {
  const id = useId();
  const [text, setText] = useState(weightText(weight));
  const isValid = /^(?:0?(?:\.\d{1,4})|0(?:\.\d{0,4})?|1(?:\.0{0,4})?)$/u.test(text.trim());
  function leave(): void {
    if (isValid) onChange(Math.round(Number(text) * weightUnit));
  }
  return (
    <span className="inline-flex flex-col">
      <input
        aria-label={label}
        aria-invalid={!isValid || undefined}
        aria-describedby={isValid ? undefined : id}
        inputMode="decimal"
        value={text}
        onChange={(event) => setText(event.target.value)}
        onBlur={leave}
        onKeyDown={(event) => event.key === 'Enter' && leave()}
        className={`${inputStyle} w-24 tabular-nums`}
      />
      {!isValid && (
        <span id={id} className="text-sm text-danger">
          0 to 1, at most four decimals
        </span>
      )}
    </span>
  );
}
