import type { CwssExplanation, CwssFactorExplanation, CwssOverride } from '@riskboard/contract';
import { cwssFactors, cwssGroups, type CwssFactor, type CwssGroup } from '@riskboard/domain';
import { Pencil } from 'lucide-react';
import { IconButton } from '../../../../ui/button/icon-button.tsx';
import { valueLabel } from '../../../../ui/cwss/cwss-text.ts';
import { Card } from '../../../../ui/layout/card.tsx';
import { Time } from '../../../../ui/text/time.tsx';
import { decimals, factorLabel, scoreText, weightLabel } from './factor-text.ts';
import { RangeBar } from './range-bar.tsx';
import { SourceBadge } from './source-badge.tsx';

interface FactorTableProps {
  explanation: CwssExplanation;
  /** Opens the editor at a factor. */
  onSet: (factor: CwssFactor) => void;
  /** Why factors cannot be set. */
  refusal: string | undefined;
}

const groups = Object.keys(cwssGroups) as CwssGroup[];
const headStyle = 'px-3 py-2 text-left text-xs font-medium text-muted first:pl-4 last:pr-4';
const wideOnly = 'hidden @2xl:table-cell';

/** Every factor with its value, where it comes from, its share and its range, by sub-score. */
export function FactorTable({ explanation, onSet, refusal }: FactorTableProps) {
  const { factors, score, overrides } = explanation;
  return (
    <Card title="Factors">
      <div className="@container">
        <table aria-label="CWSS factors" className="w-full table-fixed">
          <thead className="bg-sunken">
            <tr>
              <th scope="col" className={headStyle}>
                Factor
              </th>
              <th scope="col" className={`${headStyle} w-32`}>
                Value
              </th>
              <th scope="col" className={`${headStyle} w-24 text-right ${wideOnly}`}>
                Share
              </th>
              <th scope="col" className={`${headStyle} w-40 ${wideOnly}`}>
                Score it could give
              </th>
              <th scope="col" className={`${headStyle} w-12 print:hidden`}>
                <span className="sr-only">Actions</span>
              </th>
            </tr>
          </thead>
          {groups.map((group) => (
            <tbody key={group} className="border-t">
              <tr>
                <th scope="rowgroup" className="px-4 pt-4 pb-1 text-left text-sm font-semibold">
                  {cwssGroups[group]}
                </th>
                <td className="px-3 pt-4 pb-1 text-sm text-muted tabular-nums">
                  {decimals(explanation[group])}
                </td>
              </tr>
              {factors
                .filter(({ code }) => cwssFactors[code].group === group)
                .map((factor) => (
                  <FactorRow
                    key={factor.code}
                    factor={factor}
                    present={score}
                    override={overrides[factor.code]}
                    refusal={refusal}
                    onSet={() => onSet(factor.code)}
                  />
                ))}
            </tbody>
          ))}
        </table>
      </div>
    </Card>
  );
}

interface FactorRowProps {
  factor: CwssFactorExplanation;
  present: number;
  override: CwssOverride | undefined;
  refusal: string | undefined;
  onSet: () => void;
}

const cellStyle = 'px-3 py-2.5 align-top first:pl-4 last:pr-4';

function FactorRow({ factor, present, override, refusal, onSet }: FactorRowProps) {
  const { code, value, weight, source, reason, suggested } = factor;
  // The analyst's value of an earlier score may have been changed since.
  const isOverride = source === 'analyst' && override?.value === value && override.reason === reason;
  return (
    <tr className="border-b last:border-b-0">
      <th scope="row" className={`${cellStyle} text-left font-normal`}>
        <span className="font-medium">{factorLabel(code)}</span>{' '}
        <code className="font-mono text-xs text-muted">{code}</code>
        <span className="mt-1 block text-sm break-words text-muted">
          <span className="mr-1">
            <SourceBadge source={source} />
          </span>{' '}
          <span className="whitespace-pre-line">{reason}</span>
        </span>
        {isOverride && (
          <span className="block text-sm text-muted">
            Set by {override.by === '' ? 'a removed member' : override.by}, <Time value={override.at} />.
          </span>
        )}
        {suggested !== null && (
          <span className="block text-sm text-muted">
            Suggested: {valueLabel(code, suggested.value)} ({weightLabel(suggested.weight)}).{' '}
            {suggested.reason}
          </span>
        )}
        <span className="mt-1.5 block @2xl:hidden">
          <ShareText factor={factor} />
          <Range factor={factor} present={present} />
        </span>
      </th>
      <td className={cellStyle}>
        <span className="block font-medium break-words">{valueLabel(code, value)}</span>
        <span className="text-sm text-muted tabular-nums">
          {value}, {weightLabel(weight)}
        </span>
      </td>
      <td className={`${cellStyle} text-right ${wideOnly}`}>
        <ShareText factor={factor} />
      </td>
      <td className={`${cellStyle} ${wideOnly}`}>
        <Range factor={factor} present={present} />
      </td>
      <td className={`${cellStyle} print:hidden`}>
        <IconButton
          size="sm"
          label={`Set ${factorLabel(code)}`}
          icon={<Pencil aria-hidden size={14} />}
          disabledReason={refusal}
          onClick={onSet}
        />
      </td>
    </tr>
  );
}

/** Share of the sub-score; factors that multiply the whole sub-score have none. */
function ShareText({ factor: { code, share } }: { factor: CwssFactorExplanation }) {
  const group = cwssGroups[cwssFactors[code].group];
  if (share !== null)
    return (
      <span className="text-sm tabular-nums" title={`${share} percent of ${group}`}>
        {share.toFixed(1)}% <span className="text-muted @2xl:hidden">of {group}</span>
      </span>
    );
  const multiplies = code === 'IC' || code === 'EC';
  return (
    <span className="text-sm text-muted" title={multiplies ? `Multiplies ${group}` : undefined}>
      {multiplies ? 'Multiplies' : 'None'}
    </span>
  );
}

function Range({ factor: { lowest, highest }, present }: { factor: CwssFactorExplanation; present: number }) {
  return (
    <span className="grid grid-cols-[2.25rem_minmax(0,1fr)_2.25rem] items-center gap-1.5 text-xs text-muted tabular-nums">
      <span className="text-right">
        <span className="sr-only">From </span>
        {scoreText(lowest.score)}
      </span>
      <RangeBar lowest={lowest.score} highest={highest.score} present={present} />
      <span>
        <span className="sr-only">to </span>
        {scoreText(highest.score)}
      </span>
    </span>
  );
}
