import type { CwssExplanation, CwssFactorExplanation, CwssResult } from '@riskboard/contract';
import { cwssGroups, type CwssGroup } from '@riskboard/domain';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useState, type ReactNode } from 'react';
import { useDebounced } from '../../../../lib/hooks/use-debounced.ts';
import { valueLabel } from '../../../../ui/cwss/cwss-text.ts';
import { ErrorState } from '../../../../ui/feedback/error-state.tsx';
import { Notice } from '../../../../ui/feedback/notice.tsx';
import { Skeleton } from '../../../../ui/feedback/skeleton.tsx';
import { SearchField } from '../../../../ui/input/search-field.tsx';
import { Select } from '../../../../ui/input/select.tsx';
import { Card } from '../../../../ui/layout/card.tsx';
import {
  analystsImpact,
  decimals,
  differenceText,
  factorLabel,
  scoreText,
  weightLabel,
} from './factor-text.ts';
import { previewQuery, vignetteChoicesQuery } from './queries.ts';

interface CompareProps {
  id: string;
  explanation: CwssExplanation;
}

/** The score beside the one that another vignette would give now; nothing is stored. */
export function Compare({ id, explanation }: CompareProps) {
  const [search, setSearch] = useState('');
  const [chosen, setChosen] = useState('');
  const choices = useQuery({
    ...vignetteChoicesQuery(useDebounced(search)),
    placeholderData: keepPreviousData,
  });
  const others = (choices.data?.items ?? []).filter(({ _id }) => _id !== explanation.vignetteId);
  const isPart = choices.data !== undefined && choices.data.total > choices.data.items.length;
  const items = [
    { value: '', label: 'Choose a vignette' },
    ...others.map(({ _id, name }) => ({ value: _id, label: name })),
  ];
  return (
    <Card title="Compare with another vignette">
      <div className="flex flex-col gap-4 p-4">
        {choices.data === undefined && choices.error !== null ? (
          <ErrorState
            title="Failed to load vignettes."
            error={choices.error}
            onRetry={() => void choices.refetch()}
          />
        ) : (
          <div className="flex flex-wrap items-center gap-3 print:hidden">
            {(isPart || search !== '') && (
              <SearchField label="Search vignettes" value={search} onChange={setSearch} />
            )}
            {choices.data !== undefined && others.length === 0 ? (
              <p className="text-sm text-muted">No vignettes available.</p>
            ) : (
              <Select
                label="Vignette"
                items={items}
                value={items.some(({ value }) => value === chosen) ? chosen : ''}
                onChange={setChosen}
              />
            )}
          </div>
        )}
        {chosen !== '' && <Comparison id={id} explanation={explanation} vignetteId={chosen} />}
      </div>
    </Card>
  );
}

function Comparison({ id, explanation, vignetteId }: CompareProps & { vignetteId: string }) {
  const { data, error, refetch, isFetching } = useQuery(previewQuery(id, vignetteId));
  if (data === undefined && error !== null) {
    return (
      <ErrorState title="Failed to compare." error={error} busy={isFetching} onRetry={() => void refetch()} />
    );
  }
  if (data === undefined) return <Skeleton />;
  return (
    <>
      <Notice>
        Scores of different vignettes are not comparable: each vignette rates impacts for its own environment.
        {explanation.stale && ' The stored score is stale; part of the difference may come from that.'}
      </Notice>
      <SideBySide now={explanation} other={data} />
    </>
  );
}

const groups = Object.keys(cwssGroups) as CwssGroup[];
const cell = 'px-3 py-2 align-top first:pl-4 last:pr-4';
const difference = `${cell} hidden text-right tabular-nums @xl:table-cell`;

/** Two results in one table: scores, winning impacts, sub-scores, and the factors that differ. */
function SideBySide({ now, other }: { now: CwssResult; other: CwssResult }) {
  const pairs = now.factors.flatMap((factor): [CwssFactorExplanation, CwssFactorExplanation][] => {
    const match = other.factors.find(({ code }) => code === factor.code);
    const differs = match !== undefined && (match.value !== factor.value || match.weight !== factor.weight);
    return differs ? [[factor, match]] : [];
  });
  const same = now.factors.length - pairs.length;
  return (
    <div className="@container -mx-4 -mb-4 border-t">
      <table aria-label="Two vignettes side by side" className="w-full table-fixed text-sm">
        <thead className="bg-sunken text-xs text-muted">
          <tr className="align-bottom">
            <th scope="col" className={`${cell} w-[26%]`}>
              <span className="sr-only">What</span>
            </th>
            <Head result={now}>Applied</Head>
            <Head result={other}>Other</Head>
            <th scope="col" className={`${difference} w-24 font-medium`}>
              Difference
            </th>
          </tr>
        </thead>
        <tbody className="divide-y">
          <tr>
            <RowHead>Score</RowHead>
            <td className={`${cell} text-lg font-semibold tabular-nums`}>{scoreText(now.score)}</td>
            <td className={`${cell} tabular-nums`}>
              <span className="text-lg font-semibold">{scoreText(other.score)}</span>
              <Narrow>{differenceText(other.score - now.score)}</Narrow>
            </td>
            <td className={difference}>{differenceText(other.score - now.score)}</td>
          </tr>
          <tr>
            <RowHead>Winning impact</RowHead>
            <td className={cell}>
              <WinningImpact result={now} />
            </td>
            <td className={cell}>
              <WinningImpact result={other} />
            </td>
          </tr>
          {groups.map((group) => (
            <tr key={group}>
              <RowHead>{cwssGroups[group]}</RowHead>
              <td className={`${cell} tabular-nums`}>{decimals(now[group])}</td>
              <td className={`${cell} tabular-nums`}>
                {decimals(other[group])}
                <Narrow>{signed(other[group] - now[group])}</Narrow>
              </td>
              <td className={difference}>{signed(other[group] - now[group])}</td>
            </tr>
          ))}
          {pairs.map(([left, right]) => (
            <tr key={left.code}>
              <RowHead>{factorLabel(left.code)}</RowHead>
              <td className={cell}>
                <FactorValue factor={left} />
              </td>
              <td className={cell}>
                <FactorValue factor={right} />
                <Narrow>{signed(right.weight - left.weight)}</Narrow>
              </td>
              <td className={difference}>{signed(right.weight - left.weight)}</td>
            </tr>
          ))}
        </tbody>
      </table>
      <p className="border-t px-4 py-2 text-sm text-muted">
        {pairs.length === 0 ? 'All 16 factors are the same.' : `The other ${same} factors are the same.`}
      </p>
    </div>
  );
}

/** A difference of sub-scores or weights. */
function signed(change: number): string {
  const text = decimals(Math.abs(change));
  return text === '0' ? '±0' : `${change > 0 ? '+' : '−'}${text}`;
}

/** The difference below the other value, where its column has no room. */
const Narrow = ({ children }: { children: string }) => (
  <span className="block text-sm text-muted tabular-nums @xl:hidden">{children}</span>
);

const RowHead = ({ children }: { children: ReactNode }) => (
  <th scope="row" className={`${cell} text-left font-normal break-words text-muted`}>
    {children}
  </th>
);

function Head({ result, children }: { result: CwssResult; children: ReactNode }) {
  return (
    <th scope="col" className={`${cell} text-left font-normal`}>
      <span className="block">{children}</span>
      <span className="block text-sm font-medium break-words text-text">{result.vignetteName}</span>
      <span className="block">version {result.vignetteVersion}</span>
    </th>
  );
}

function WinningImpact({ result }: { result: CwssResult }) {
  const { impact, layer, subscore } = result.technicalImpact;
  const isSet = analystsImpact(result) !== undefined;
  if (impact === null)
    return (
      <span className="text-muted">
        {isSet ? 'None rated; set by an analyst' : 'Default: no impact is rated'}
      </span>
    );
  return (
    <>
      <span className="block break-words">{impact}</span>
      <span className="text-muted">
        {layer}, {subscore} of 10{isSet && '; not used, set by an analyst'}
      </span>
    </>
  );
}

function FactorValue({ factor: { code, value, weight } }: { factor: CwssFactorExplanation }) {
  return (
    <>
      {valueLabel(code, value)} <span className="text-muted tabular-nums">{weightLabel(weight)}</span>
    </>
  );
}
