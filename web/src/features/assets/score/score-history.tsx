import type { AssetScore } from '@riskboard/contract';
import { lazily, scoreCauses } from '@riskboard/domain';
import { useState } from 'react';
import { formatMean } from '../../../lib/format/format.ts';
import { Button } from '../../../ui/button/button.tsx';
import { Time } from '../../../ui/text/time.tsx';
import { SmallTable } from '../../../ui/table/small-table.tsx';

type Point = AssetScore['history'][number];

/** Rows before the reader asks for the others. */
const fewRows = 10;

/** Causes of records that need no change of the score. */
const unchanged: ReadonlySet<Point['cause']> = new Set(['daily', 'example']);

interface Changed extends Point {
  /** Undefined for the first record. */
  before: number | undefined;
}

/** Records that changed the score, and the first one, newest first. A daily record without a change is left out. */
function changesOf(history: readonly Point[]): Changed[] {
  return history
    .map((point, n) => ({ ...point, before: history[n - 1]?.score }))
    .filter(({ before, score, cause }) => before !== score || !unchanged.has(cause))
    .toReversed();
}

const signed = lazily(
  () =>
    new Intl.NumberFormat('en-US', {
      signDisplay: 'exceptZero',
      minimumFractionDigits: 1,
      maximumFractionDigits: 1,
    }),
);

const difference = ({ before, score }: Changed): string =>
  before === undefined ? '' : signed().format(score - before);

const columns = [
  { label: 'When' },
  { label: 'Cause' },
  { label: 'Change', align: 'right' },
  { label: 'Score', align: 'right' },
] as const;

/** What changed the score of an asset, when, and by whom. */
export function ScoreHistory({ history, thinned }: { history: readonly Point[]; thinned: boolean }) {
  const [all, setAll] = useState(false);
  const changes = changesOf(history);
  const rows = all ? changes : changes.slice(0, fewRows);
  return (
    <>
      <SmallTable label="History" columns={columns}>
        <tbody>
          {rows.map((point) => (
            <tr key={point.at} className="border-t align-top">
              <td className="py-1.5 pr-3">
                <Time value={point.at} form="absolute" />
              </td>
              <td className="py-1.5 pr-3">
                {scoreCauses[point.cause]}
                {point.by !== '' && <span className="text-muted"> · {point.by}</span>}
              </td>
              <td className="py-1.5 pr-3 text-right tabular-nums">{difference(point)}</td>
              <td className="py-1.5 text-right tabular-nums">{formatMean(point.score)}</td>
            </tr>
          ))}
        </tbody>
      </SmallTable>
      {thinned && (
        <p className="mt-2 text-xs text-muted">
          Only the last score of each of the newest 400 days is shown.
        </p>
      )}
      {!all && changes.length > fewRows && (
        <Button className="mt-2" onClick={() => setAll(true)}>
          Show all {changes.length}
        </Button>
      )}
    </>
  );
}
