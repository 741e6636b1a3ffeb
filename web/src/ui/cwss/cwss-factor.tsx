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
  /** The entered text of a weight that cannot be used. */
  refused?: string;
  onChange: (choice: CwssChoice) => void;
  onRefused?: (text: string) => void;
}

/** One factor: its name, what it measures, and its value; a quantified one has a weight of its own. */
export function CwssFactor({ factor, choice, detail, refused, onChange, onRefused }: CwssFactorProps) {
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
            label={`Weight of ${label}`}
            weight={choice.weight}
            refused={refused}
            onChange={(weight) => onChange({ code: quantified, weight })}
            onRefused={onRefused}
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
  refused: string | undefined;
  onChange: (weight: number) => void;
  onRefused: ((text: string) => void) | undefined;
}

const writtenWeight = /^(?:0?[.,]\d{1,4}|0(?:[.,]\d{0,4})?|1(?:[.,]0{0,4})?)$/u;

/** A weight from 0 to 1 with at most four decimals; an invalid one is marked, reported and not used. */
function WeightInput({ label, weight, refused, onChange, onRefused }: WeightInputProps) {
  const id = useId();
  const given = refused ?? weightText(weight);
  const [input, setInput] = useState({ given, text: given });
  if (input.given !== given) setInput({ given, text: given });
  const text = input.text.trim();
  const isValid = writtenWeight.test(text);
  function leave(): void {
    if (!isValid) return onRefused?.(text);
    const entered = Math.round(Number(text.replace(',', '.')) * weightUnit);
    setInput({ given, text: weightText(entered) });
    if (entered !== weight || refused !== undefined) onChange(entered);
  }
  return (
    <span className="inline-flex flex-col">
      <input
        aria-label={label}
        aria-invalid={!isValid || undefined}
        aria-describedby={isValid ? undefined : id}
        inputMode="decimal"
        value={input.text}
        onChange={(event) => setInput({ given, text: event.target.value })}
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
