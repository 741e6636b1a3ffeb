import type { CwssFactorExplanation, CwssResult } from '@riskboard/contract';
import { valueLabel } from '../../../../ui/cwss/cwss-text.ts';
import { Badge } from '../../../../ui/badge/badge.tsx';
import { Notice } from '../../../../ui/feedback/notice.tsx';
import { Card } from '../../../../ui/layout/card.tsx';
import { CweList } from '../weakness.tsx';
import { analystsImpact, weightLabel } from './factor-text.ts';

interface TechnicalImpactProps {
  result: CwssResult;
  /** Name of the vulnerability. */
  name: string;
}

/** What decides the factor Technical Impact, and what every weakness contributes. */
export function TechnicalImpact({ result, name }: TechnicalImpactProps) {
  const { technicalImpact, weaknesses, vignetteName } = result;
  const { impact, layer, subscore, notes, cwe, inheritedFrom, fallback } = technicalImpact;
  const set = analystsImpact(result);
  return (
    <Card title="Technical impact">
      <div className="flex flex-col gap-3 p-4">
        {set !== undefined && <SetByAnalyst factor={set} isRated={impact !== null} />}
        {fallback !== null && (
          <Notice tone="warning">
            <p className="font-medium">Technical Impact has its default value.</p>
            <p>{fallback}</p>
          </Notice>
        )}
        {impact !== null && (
          <>
            <div className="flex flex-wrap items-baseline justify-between gap-x-6 gap-y-1">
              <p className="text-lg font-semibold">{impact}</p>
              <p className="tabular-nums">
                <span className="text-lg font-semibold">{subscore}</span>
                <span className="text-muted"> of 10 in {vignetteName}</span>
              </p>
            </div>
            <p className="text-sm text-muted">
              The highest rated impact of its weaknesses, at the layer {layer}
              {cwe !== null && `, of ${cwe}`}
              {inheritedFrom !== null && `, inherited from its ancestor ${inheritedFrom}`}. CWRAF uses the
              highest rating.
            </p>
            {notes !== '' && (
              <blockquote className="border-l-2 pl-3 text-sm whitespace-pre-line">{notes}</blockquote>
            )}
          </>
        )}
      </div>
      {weaknesses.length > 0 && (
        <ul aria-label="Weaknesses" className="divide-y border-t">
          {weaknesses.toSorted(byRating).map((weakness) => (
            <Weakness
              key={weakness.cwe}
              weakness={weakness}
              name={name}
              role={weakness.cwe !== cwe ? undefined : set === undefined ? 'Decides' : 'Suggests'}
            />
          ))}
        </ul>
      )}
    </Card>
  );
}

interface SetByAnalystProps {
  factor: CwssFactorExplanation;
  isRated: boolean;
}

/** The analyst's value, and the suggested one that it replaces. */
function SetByAnalyst({ factor: { code, value, weight, suggested }, isRated }: SetByAnalystProps) {
  return (
    <Notice>
      <p className="font-medium">
        An analyst set Technical Impact to {valueLabel(code, value)} ({weightLabel(weight)}).
      </p>
      {suggested !== null && (
        <p>
          Suggested: {valueLabel(code, suggested.value)} ({weightLabel(suggested.weight)}).{' '}
          {isRated ? 'The rating of the vignette is below.' : suggested.reason}
        </p>
      )}
    </Notice>
  );
}

type Contribution = CwssResult['weaknesses'][number];

/** The highest rating first; those without one last. */
const byRating = (a: Contribution, b: Contribution): number => (b.subscore ?? -1) - (a.subscore ?? -1);

interface WeaknessProps {
  weakness: Contribution;
  name: string;
  /** What the weakness with the highest rating does; undefined for another one. */
  role: 'Decides' | 'Suggests' | undefined;
}

function Weakness({ weakness, name, role }: WeaknessProps) {
  const { cwe, impact, layer, subscore, inheritedFrom, note } = weakness;
  return (
    <li className="grid grid-cols-[minmax(0,1fr)_auto] items-center gap-x-4 gap-y-0.5 px-4 py-2.5">
      <div className="flex min-w-0 flex-wrap items-center gap-x-2">
        <CweList ids={[cwe]} name={name} />
        <span className="min-w-0 break-words">{weakness.name}</span>
        {role !== undefined && <Badge tone="info">{role}</Badge>}
        {inheritedFrom !== null && <Badge>Inherited from {inheritedFrom}</Badge>}
      </div>
      <Rating subscore={subscore} />
      <p className="col-span-full text-sm text-muted">
        {impact !== null && `${impact}, ${layer} layer. `}
        {note}
      </p>
    </li>
  );
}

/** A rating of the scorecard; a weakness without one does not contribute, which is not the same as 0. */
function Rating({ subscore }: { subscore: number | null }) {
  if (subscore === null) return <span className="text-sm text-muted">No contribution</span>;
  return (
    <span className="flex items-center gap-2 text-sm tabular-nums">
      <span aria-hidden className="h-1 w-16 forced-color-adjust-none rounded-full bg-line">
        <span className="block h-1 rounded-full bg-accent" style={{ width: `${subscore * 10}%` }} />
      </span>
      {subscore} of 10
    </span>
  );
}
