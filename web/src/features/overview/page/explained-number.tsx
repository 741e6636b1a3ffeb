import type { explainedMetrics } from '@riskboard/contract';
import type { ReactNode } from 'react';

export type ExplainedMetric = (typeof explainedMetrics)[number];

/** Opens the explanation of a number. */
export type Explain = (metric: ExplainedMetric) => void;

interface ExplainedNumberProps {
  metric: ExplainedMetric;
  /** Name of the number, such as 'Total Threats'. */
  label: string;
  /** The number as text. */
  text: string;
  explain: Explain;
  className?: string;
  /** Absent: the text. */
  children?: ReactNode;
}

/** A number that opens its explanation: formula, inputs and rows. */
export function ExplainedNumber({
  metric,
  label,
  text,
  explain,
  className = '',
  children,
}: ExplainedNumberProps) {
  return (
    <button
      type="button"
      aria-haspopup="dialog"
      aria-label={`${text}, explain ${label}`}
      title={`How ${label} is calculated`}
      onClick={() => explain(metric)}
      className={`-mx-1 min-h-6 cursor-pointer rounded px-1 text-left tabular-nums decoration-line-strong decoration-dotted decoration-1 underline-offset-4 hover:underline ${className}`}
    >
      {children ?? text}
    </button>
  );
}
