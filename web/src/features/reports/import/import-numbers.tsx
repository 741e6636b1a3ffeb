import type { ImportReport } from '@riskboard/contract';
import { formatCount, plural, removedText } from '@riskboard/domain';
import { Link } from '@tanstack/react-router';
import { ArrowRight, Check, TriangleAlert } from 'lucide-react';
import { Notice } from '../../../ui/feedback/notice.tsx';

/** The totals of a report (contract, `ImportReport`) and its records that are in the lists now. */
export function ImportNumbers({ report }: { report: ImportReport }) {
  const { fileId, extracted, removed } = report;
  return (
    <>
      <div className="grid gap-4 xl:grid-cols-[3fr_2fr]">
        <Equation
          label="objects in the file"
          noun="objects"
          total={report.objects}
          terms={[
            { label: 'mapped', count: report.mapped, tone: 'accent' },
            { label: 'not extracted', count: report.unmapped, tone: 'muted' },
            { label: 'failed', count: report.failed, tone: 'danger' },
            { label: 'superseded', count: report.superseded, tone: 'warning' },
          ]}
        />
        <Equation
          label="records found"
          noun="records"
          total={report.records}
          terms={[
            { label: 'active', count: report.active, tone: 'accent' },
            { label: 'revoked', count: report.revoked, tone: 'warning' },
            { label: 'deprecated', count: report.deprecated, tone: 'muted' },
          ]}
        />
      </div>
      {removed && <Notice>{removedText(removed)}: no longer in this version.</Notice>}
      <p className="flex flex-wrap items-center gap-x-4 gap-y-1 text-sm text-muted">
        Currently in the lists:
        <Link
          to="/dashboard/reports/vulnerabilities"
          search={{ fileId }}
          className="inline-flex items-center gap-1 font-medium text-accent-text hover:underline"
        >
          {plural(extracted.vulnerabilities, 'vulnerability', 'vulnerabilities')}
          <ArrowRight aria-hidden size={14} />
        </Link>
        <Link
          to="/dashboard/reports/threats"
          search={{ fileId }}
          className="inline-flex items-center gap-1 font-medium text-accent-text hover:underline"
        >
          {plural(extracted.threats, 'threat')}
          <ArrowRight aria-hidden size={14} />
        </Link>
      </p>
    </>
  );
}

interface Term {
  readonly label: string;
  readonly count: number;
  readonly tone: keyof typeof fills;
}

interface EquationProps {
  /** Label of the total, such as 'objects in the file'. */
  label: string;
  noun: 'objects' | 'records';
  total: number;
  terms: readonly Term[];
}

const fills = {
  accent: 'bg-accent',
  muted: 'bg-line-strong',
  danger: 'bg-danger',
  warning: 'bg-warning',
} as const;

/** A total and its parts, with a check that the parts add up to the total. */
function Equation({ label, noun, total, terms }: EquationProps) {
  const sum = terms.reduce((subtotal, { count }) => subtotal + count, 0);
  const exact = sum === total;
  return (
    <section aria-label={label} className="flex flex-col gap-3 rounded border bg-surface p-4">
      <div className="flex flex-wrap items-end gap-x-4 gap-y-2 tabular-nums">
        <Figure count={total} label={label} large />
        {terms.map((term, index) => (
          <div key={term.label} className="flex items-end gap-4">
            <span className="pb-5 text-lg text-muted">{index === 0 ? '=' : '+'}</span>
            <Figure count={term.count} label={term.label} tone={fills[term.tone]} />
          </div>
        ))}
      </div>
      <div
        aria-hidden
        className="flex h-1.5 gap-0.5 forced-color-adjust-none overflow-hidden rounded-full bg-line"
      >
        {terms.map(
          ({ label: name, count, tone }) =>
            count > 0 && (
              <div
                key={name}
                className={`min-w-1 rounded-full ${fills[tone]}`}
                style={{ flex: `${count} 1 0` }}
              />
            ),
        )}
      </div>
      <p className={`flex items-center gap-1.5 text-xs ${exact ? 'text-success' : 'text-danger'}`}>
        {exact ? <Check aria-hidden size={14} /> : <TriangleAlert aria-hidden size={14} />}
        {exact
          ? `All ${noun} accounted for`
          : `The parts do not match: they total ${formatCount(sum)}, not ${formatCount(total)}.`}
      </p>
    </section>
  );
}

interface FigureProps {
  count: number;
  label: string;
  large?: boolean;
  tone?: string;
}

function Figure({ count, label, large = false, tone }: FigureProps) {
  return (
    <div className="flex flex-col">
      <span className={large ? 'text-2xl font-semibold' : 'text-xl font-medium'}>{formatCount(count)}</span>
      <span className="flex items-center gap-1.5 text-xs text-muted">
        {tone !== undefined && <span aria-hidden className={`size-2 rounded-full ${tone}`} />}
        {label}
      </span>
    </div>
  );
}
