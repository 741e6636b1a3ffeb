import type { CwssExplanation, cwssCauses } from '@riskboard/contract';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { Badge } from '../../../../ui/badge/badge.tsx';
import { Button } from '../../../../ui/button/button.tsx';
import { linkStyle } from '../../../../ui/button/link-style.ts';
import { Card } from '../../../../ui/layout/card.tsx';
import { lazyPart, reserved } from '../../../../ui/layout/lazy-part.tsx';
import { Time } from '../../../../ui/text/time.tsx';
import { formatFileDate } from '../../../../lib/format/format.ts';
import { changeText, differenceText, scoreText } from './factor-text.ts';

// The chart library loads when the chart is opened.
const BarChartCard = lazyPart(
  async () => (await import('../../../../ui/chart/bar-chart-card.tsx')).BarChartCard,
  reserved('h-64'),
);

const causes = {
  calculated: 'Calculated',
  factors: 'Factors changed',
  automatic: 'Recalculated automatically',
  example: 'Example data',
} as const satisfies Record<(typeof cwssCauses)[number], string>;

type Entry = CwssExplanation['history'][number];

/** Axis of scores, 0 to 100. */
const axis = { max: 100, tick: 25 } as const;
const ready = { error: null, isFetching: false, refetch: () => undefined } as const;

/** Every score of the vulnerability with who, when, why and what changed; each opens the explanation of its time. */
export function ScoreHistory({ explanation }: { explanation: CwssExplanation }) {
  const { history, version } = explanation;
  const [chart, setChart] = useState(false);
  const oldestFirst = history.toReversed();
  return (
    <>
      <Card
        title="Score history"
        actions={
          history.length > 1 && (
            <Button size="sm" variant="ghost" aria-expanded={chart} onClick={() => setChart(!chart)}>
              {chart ? 'Hide chart' : 'Show chart'}
            </Button>
          )
        }
      >
        <ol className="divide-y">
          {history.map((entry, index) => (
            <HistoryEntry
              key={entry.version}
              entry={entry}
              before={history[index + 1]}
              isNewest={index === 0}
              isShown={entry.version === version}
            />
          ))}
        </ol>
      </Card>
      {chart && (
        <BarChartCard
          label="CWSS score over time"
          height={160}
          axis={axis}
          columns={['Version', 'Score']}
          query={ready}
          bars={oldestFirst.map((entry) => ({
            label: String(entry.version),
            name: `Version ${entry.version}, ${formatFileDate(entry.at)}`,
            value: entry.score,
            color: 'accent' as const,
            text: scoreText(entry.score),
          }))}
        />
      )}
    </>
  );
}

interface HistoryEntryProps {
  entry: Entry;
  before: Entry | undefined;
  isNewest: boolean;
  isShown: boolean;
}

function HistoryEntry({ entry, before, isNewest, isShown }: HistoryEntryProps) {
  const { version, at, by, cause, score, vignetteId, vignetteName, vignetteVersion, changes } = entry;
  // Vignettes can be renamed, and another one can have the name of a deleted one.
  const isComparable = before !== undefined && before.vignetteId === vignetteId;
  const formerName =
    before?.vignetteName === vignetteName ? 'another vignette of this name' : before?.vignetteName;
  return (
    <li
      aria-current={isShown || undefined}
      className="grid grid-cols-[4.5rem_minmax(0,1fr)] gap-x-3 px-4 py-2.5 aria-[current=true]:bg-accent-soft"
    >
      <p className="flex flex-col tabular-nums">
        <span className="text-lg font-semibold">{scoreText(score)}</span>
        {isComparable && <span className="text-sm text-muted">{differenceText(score - before.score)}</span>}
      </p>
      <div className="min-w-0 text-sm">
        <p className="flex flex-wrap items-center gap-x-2 gap-y-0.5">
          <Link
            to="."
            search={(now: object) => ({ ...now, version: isNewest ? undefined : version })}
            resetScroll={false}
            className={`${linkStyle} font-medium`}
          >
            Version {version}
          </Link>
          {isShown && <Badge tone="info">Shown</Badge>}
          <span className="text-muted">
            {causes[cause]} <Time value={at} />
            {by !== '' && ` by ${by}`}
          </span>
        </p>
        <p className="break-words text-muted">
          {vignetteName}, version {vignetteVersion}
          {before !== undefined && !isComparable && `; not comparable with ${formerName}`}
        </p>
        {changes.length > 0 && (
          <ul aria-label={`Changes of version ${version}`} className="mt-1 flex flex-wrap gap-1">
            {changes.map((change) => (
              <li key={change} className="rounded bg-hover px-1.5 py-0.5 text-xs break-words">
                {changeText(change)}
              </li>
            ))}
          </ul>
        )}
      </div>
    </li>
  );
}
