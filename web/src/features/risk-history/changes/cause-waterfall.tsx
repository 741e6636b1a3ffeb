import { formatCount, plural } from '@riskboard/domain';
import { ArrowDownRight, ArrowUpRight, Equal } from 'lucide-react';
import type { ReactNode } from 'react';
import { PathLink } from '../../../ui/button/path-link.tsx';
import { effectOf, effects, scoreText, signedText } from './cause-texts.ts';
import type { CauseStep } from './cause-steps.ts';
import type { Changes } from '../queries.ts';

interface CauseWaterfallProps {
  measure: Changes['measure'];
  from: { readonly label: string; readonly score: number };
  to: { readonly label: string; readonly score: number };
  steps: readonly CauseStep[];
}

const rowStyle =
  'grid grid-cols-[minmax(0,1fr)_max-content] items-center gap-x-4 gap-y-1.5 px-4 py-2 sm:grid-cols-[minmax(0,5fr)_minmax(0,6fr)_80px]';
const trackStyle = 'relative h-3 max-sm:col-span-2 max-sm:row-start-2';

/** Share of the width that stays free on both sides. */
const margin = 0.02;

/** The causes as bars from the first score to the last: each starts where the one before it ends. */
export function CauseWaterfall({ measure, from, to, steps }: CauseWaterfallProps) {
  const scores = [from.score, to.score, ...steps.map(({ end }) => end)];
  const least = Math.min(...scores);
  const span = Math.max(...scores) - least || 1;
  /** Percent of the width. */
  const at = (score: number) => (margin + ((score - least) / span) * (1 - 2 * margin)) * 100;
  return (
    <ol aria-label="Causes" className="divide-y text-sm">
      <Total {...from} text={scoreText(measure, from.score)} at={at(from.score)} />
      {steps.map((step) => (
        <li key={`${step.code} ${step.label}`} className={rowStyle}>
          <Cause step={step} />
          <span aria-hidden className={trackStyle}>
            <span
              className={`absolute inset-y-0 min-w-0.5 rounded-full ${effects[effectOf(step)].bar}`}
              style={{
                left: `${at(Math.min(step.start, step.end))}%`,
                width: `${at(Math.max(step.start, step.end)) - at(Math.min(step.start, step.end))}%`,
              }}
            />
          </span>
          <span className={`text-right font-medium tabular-nums ${effects[effectOf(step)].text}`}>
            {signedText(measure, step.delta)}
          </span>
        </li>
      ))}
      <Total {...to} text={scoreText(measure, to.score)} at={at(to.score)} />
    </ol>
  );
}

/** The score of one of the two dates. */
function Total({ label, text, at }: { label: string; text: string; at: number }) {
  return (
    <li className={`${rowStyle} bg-sunken font-medium`}>
      <span>{label}</span>
      <span aria-hidden className={trackStyle}>
        <span className="absolute inset-y-0 w-0.5 -translate-x-1/2 bg-text" style={{ left: `${at}%` }} />
      </span>
      <span className="text-right tabular-nums">{text}</span>
    </li>
  );
}

const icons = {
  raises: <ArrowUpRight aria-hidden size={16} />,
  lowers: <ArrowDownRight aria-hidden size={16} />,
  neutral: <Equal aria-hidden size={16} />,
} as const satisfies Record<keyof typeof effects, ReactNode>;

function Cause({ step }: { step: CauseStep }) {
  const effect = effectOf(step);
  return (
    <span className="flex min-w-0 items-start gap-2">
      <span className={`mt-0.5 shrink-0 ${effects[effect].text}`}>{icons[effect]}</span>
      <span className="min-w-0 break-words">
        <CauseName step={step} />
        <span className="block text-xs text-muted">
          {effects[effect].label}
          {step.count !== 0 && ` · ${plural(Math.abs(step.count), 'record')}${listedText(step)}`}
        </span>
      </span>
    </span>
  );
}

/** ', 38 in the list': how many records the list of a cause shows, where it shows others than were counted. */
export const listedText = ({ count, listed }: Pick<CauseStep, 'count' | 'listed'>): string =>
  listed === null || listed === Math.abs(count) ? '' : `, ${formatCount(listed)} in the list`;

/** The cause; a link to its records, where there are some. */
export function CauseName({ step: { label, query } }: { step: CauseStep }) {
  return query === null ? label : <PathLink path={query}>{label}</PathLink>;
}
