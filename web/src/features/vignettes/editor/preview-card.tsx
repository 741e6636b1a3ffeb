import type { VignetteMove, VignettePreview } from '@riskboard/contract';
import { formatCount, plural } from '@riskboard/domain';
import { Link } from '@tanstack/react-router';
import { ArrowDown, ArrowRight, ArrowUp, RotateCw } from 'lucide-react';
import { useState } from 'react';
import { formatMean } from '../../../lib/format/format.ts';
import { useDelayed } from '../../../lib/hooks/use-delayed.ts';
import { Button } from '../../../ui/button/button.tsx';
import { Skeleton } from '../../../ui/feedback/skeleton.tsx';
import { Spinner } from '../../../ui/feedback/spinner.tsx';
import { Card } from '../../../ui/layout/card.tsx';
import type { usePreview } from './use-preview.ts';

interface PreviewCardProps {
  preview: ReturnType<typeof usePreview>;
  /** Name of the vignette that is the state before; undefined for a new one. */
  before: string | undefined;
  /** Why there is no newer result. */
  blockedBy: string | undefined;
}

/** How the known vulnerabilities would move and reorder with the typed scorecard. Nothing is stored. */
export function PreviewCard({ preview, before, blockedBy }: PreviewCardProps) {
  const { data, isPending, error, retry } = preview;
  const isSlow = useDelayed(isPending);
  return (
    <Card
      title="Preview"
      actions={
        <span aria-hidden className="flex min-h-7 items-center gap-2 text-sm text-muted">
          {isSlow && blockedBy === undefined && (
            <>
              <Spinner /> Calculating
            </>
          )}
        </span>
      }
    >
      {blockedBy !== undefined && <p className="border-b px-4 py-2 text-sm text-muted">{blockedBy}</p>}
      {error !== null && blockedBy === undefined && (
        <div
          role="alert"
          className="flex items-center justify-between gap-3 border-b px-4 py-2 text-sm text-danger"
        >
          {`Preview failed. ${error.message}`}
          <Button size="sm" icon={<RotateCw aria-hidden size={14} />} onClick={retry}>
            Retry
          </Button>
        </div>
      )}
      {data === undefined ? (
        blockedBy === undefined && error === null && <Waiting />
      ) : (
        <Result data={data} before={before} isPending={isSlow} />
      )}
    </Card>
  );
}

const Waiting = () => (
  <div aria-hidden className="flex flex-col gap-3 p-4">
    <Skeleton width="60%" />
    <Skeleton width="80%" />
    <Skeleton width="70%" />
  </div>
);

interface ResultProps {
  data: VignettePreview;
  before: string | undefined;
  isPending: boolean;
}

function Result({ data, before, isPending }: ResultProps) {
  const { vulnerabilities, calculated, higher, lower, unchanged, meanBefore, meanAfter, moves } = data;
  if (vulnerabilities === 0) {
    return (
      <p className="px-4 py-6 text-center text-sm text-muted">There are no vulnerabilities to move yet.</p>
    );
  }
  return (
    <div aria-busy={isPending}>
      <dl className="grid grid-cols-3 divide-x border-b">
        <Count
          label="Higher"
          count={higher}
          icon={<ArrowUp aria-hidden size={14} className="text-danger" />}
        />
        <Count
          label="Lower"
          count={lower}
          icon={<ArrowDown aria-hidden size={14} className="text-success" />}
        />
        <Count label="Unchanged" count={unchanged} />
      </dl>
      <p className="flex flex-wrap items-baseline justify-between gap-x-3 border-b px-4 py-2.5 text-sm">
        <span className="text-muted">Mean score</span>
        <span className="tabular-nums">
          <Change before={meanBefore ?? 0} after={meanAfter ?? 0} />
        </span>
      </p>
      {calculated < vulnerabilities && (
        <p className="border-b px-4 py-2 text-xs text-muted">
          Calculated for the {formatCount(calculated)} most severe of {formatCount(vulnerabilities)}{' '}
          vulnerabilities.
        </p>
      )}
      {moves.length === 0 ? (
        <p className="px-4 py-6 text-center text-sm text-muted">
          {before === undefined
            ? 'Save the vignette first: a new one has nothing to compare with.'
            : `No score differs from ${before}. Change a rating to see what moves.`}
        </p>
      ) : (
        <Moves moves={moves} />
      )}
    </div>
  );
}

interface CountProps {
  label: string;
  count: number;
  icon?: React.ReactNode;
}

const Count = ({ label, count, icon }: CountProps) => (
  <div className="flex flex-col px-4 py-3">
    <dt className="flex items-center gap-1 text-sm text-muted">
      {icon}
      {label}
    </dt>
    <dd className="text-lg font-semibold tabular-nums">{formatCount(count)}</dd>
  </div>
);

/** A score before and after. */
function Change({ before, after }: { before: number; after: number }) {
  return (
    <>
      <span className="text-muted">{formatMean(before)}</span>
      <ArrowRight aria-label="to" size={12} className="mx-1 inline text-muted" />
      <span className="font-medium">{formatMean(after)}</span>
    </>
  );
}

/** Moves that are shown at first. */
const firstMoves = 10;

function Moves({ moves }: { moves: readonly VignetteMove[] }) {
  const [all, setAll] = useState(false);
  const shown = all ? moves : moves.slice(0, firstMoves);
  return (
    <>
      <h3 className="border-b bg-sunken px-4 py-1.5 text-xs font-medium text-muted">Largest moves</h3>
      <ul aria-label="Largest moves" className="divide-y">
        {shown.map((move) => (
          <MoveItem key={move._id} move={move} />
        ))}
      </ul>
      {moves.length > firstMoves && (
        <div className="border-t px-2 py-1">
          <Button size="sm" variant="ghost" aria-expanded={all} onClick={() => setAll(!all)}>
            {all ? 'Show fewer' : `Show all ${plural(moves.length, 'move')}`}
          </Button>
        </div>
      )}
    </>
  );
}

const unrated = 'no rated impact';

/** One vulnerability: its score and rank, and the impact that decides. */
function MoveItem({ move }: { move: VignetteMove }) {
  const { _id: id, name, cveId, cwe, before, after, rankBefore, rankAfter, impactBefore, impactAfter } = move;
  const difference = after - before;
  return (
    <li className="grid grid-cols-[minmax(0,1fr)_auto] gap-x-3 gap-y-0.5 px-4 py-2.5">
      <Link
        to="/dashboard/vulnerabilities/$id"
        params={{ id }}
        title={name}
        className="truncate text-sm font-medium hover:text-accent-text hover:underline"
      >
        {name}
      </Link>
      <span className="text-right text-sm whitespace-nowrap tabular-nums">
        <Change before={before} after={after} />
        <span className={`ml-2 inline-block min-w-10 ${difference > 0 ? 'text-danger' : 'text-success'}`}>
          {difference > 0 ? '+' : '−'}
          {formatMean(Math.abs(difference))}
        </span>
      </span>
      <span className="min-w-0 text-xs text-muted">
        {impactBefore === impactAfter ? (
          (impactAfter ?? unrated)
        ) : (
          <>
            {impactBefore ?? unrated}
            <ArrowRight aria-label="to" size={10} className="mx-1 inline" />
            <span className="text-text">{impactAfter ?? unrated}</span>
          </>
        )}
        <span className="block truncate">{[cveId, ...cwe].filter((text) => text !== '').join(' · ')}</span>
      </span>
      <span className="text-right text-xs whitespace-nowrap text-muted tabular-nums">
        Rank {formatCount(rankBefore)}
        {rankAfter !== rankBefore && (
          <>
            <ArrowRight aria-label="to" size={10} className="mx-1 inline" />
            <span className="text-text">{formatCount(rankAfter)}</span>
          </>
        )}
      </span>
    </li>
  );
}
