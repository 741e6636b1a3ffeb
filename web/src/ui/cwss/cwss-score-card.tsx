import {
  cwssFactors,
  cwssOrder,
  cwssProduct,
  cwssSensitivity,
  cwssVectorOf,
  incompleteFactors,
  scoreCwss,
  type AlternativeScore,
  type CwssChoices,
  type CwssFactor,
} from '@riskboard/domain';
import type { ReactNode } from 'react';
import { CopyButton } from '../button/copy-button.tsx';
import { ProgressBar } from '../feedback/progress-bar.tsx';
import { Card } from '../layout/card.tsx';
import { valueLabel } from './cwss-text.ts';

/** Factors named in 'What would change it most'. */
const mostNamed = 5;

/** The score of some choices, how it comes about, and what would change it most. */
export function CwssScoreCard({ choices, actions }: { choices: CwssChoices; actions?: ReactNode }) {
  const { score } = scoreCwss(choices);
  const { base, attackSurface, environmental, raw } = cwssProduct(choices);
  const vector = cwssVectorOf(choices);
  const incomplete = incompleteFactors(choices);
  return (
    <Card title="Score">
      <div className="flex flex-col gap-4 p-4">
        <output aria-label="CWSS score" className="flex items-baseline gap-1 tabular-nums">
          <span className="text-3xl font-semibold">{score.toFixed(1)}</span>
          <span className="text-muted">of 100</span>
        </output>
        <dl className="grid grid-cols-[1fr_auto] gap-x-4 gap-y-1 text-sm">
          <Part label="Base Finding, 0 to 100" value={base} />
          <Part label="× Attack Surface, 0 to 1" value={attackSurface} />
          <Part label="× Environmental, 0 to 1" value={environmental} />
          <Part label="= before rounding" value={raw} />
        </dl>
        <div className="flex flex-col gap-2">
          <ProgressBar label="Factors that are set" value={1 - incomplete.length / cwssOrder.length} />
          <p className="text-sm text-muted">
            {incomplete.length === 0
              ? 'Every factor is set.'
              : `${incomplete.length} of 16 factors ${incomplete.length === 1 ? 'is' : 'are'} default or unknown: the score is incomplete.`}
          </p>
        </div>
        <div>
          <h3 className="mb-1 text-sm font-medium">What would change it most</h3>
          <p className="mb-2 text-sm text-muted">The score with another value of one factor.</p>
          <ul className="flex flex-col gap-2.5 text-sm">
            {cwssSensitivity(choices)
              .slice(0, mostNamed)
              .map(({ factor, lowest, highest }) => (
                <li key={factor} className="flex flex-col gap-1">
                  <span className="flex flex-wrap justify-between gap-x-3">
                    <span>{cwssFactors[factor].label}</span>
                    <span>
                      <Alternative factor={factor} value={lowest} /> to{' '}
                      <Alternative factor={factor} value={highest} />
                    </span>
                  </span>
                  <Range from={lowest.score} to={highest.score} now={score} />
                </li>
              ))}
          </ul>
        </div>
        <div className="flex flex-col gap-2">
          <h3 className="text-sm font-medium">Vector</h3>
          <code className="rounded bg-hover p-2 font-mono text-xs break-all select-all">{vector}</code>
          <div className="flex flex-wrap gap-2">
            <CopyButton size="sm" text={vector} label="Copy CWSS vector" />
            {actions}
          </div>
        </div>
      </div>
    </Card>
  );
}

/** Where the score is between the lowest and the highest one, on a line from 0 to 100. */
function Range({ from, to, now }: { from: number; to: number; now: number }) {
  return (
    <span aria-hidden className="relative h-1.5 forced-color-adjust-none rounded-full bg-line">
      <span
        className="absolute inset-y-0 rounded-full bg-accent"
        style={{ left: `${from}%`, width: `${to - from}%` }}
      />
      <span className="absolute -inset-y-0.5 w-0.5 bg-text" style={{ left: `${now}%` }} />
    </span>
  );
}

function Part({ label, value }: { label: string; value: string }) {
  return (
    <>
      <dt className="text-muted">{label}</dt>
      <dd className="text-right tabular-nums">{value}</dd>
    </>
  );
}

function Alternative({ factor, value: { code, score } }: { factor: CwssFactor; value: AlternativeScore }) {
  return (
    <span className="tabular-nums">
      {score.toFixed(1)} <span className="text-muted">({valueLabel(factor, code)})</span>
    </span>
  );
}
