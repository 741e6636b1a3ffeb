import type { ActivityEntry } from '@riskboard/contract';
import { formatCount } from '@riskboard/domain';
import { Link } from '@tanstack/react-router';
import { ArrowRight } from 'lucide-react';
import { Time } from '../../ui/text/time.tsx';
import { hiddenFrom } from '../../ui/table/table-style.ts';
import { Avatar, actorOf } from './person.tsx';
import type { Change } from './action-labels.ts';
import { changesOf, fieldLabel, fieldValue, sentenceOf } from './sentence.ts';

/** Name of the object; a link when it has a page and this entry did not delete it. */
function Thing({ entry, name }: { entry: ActivityEntry; name: string }) {
  const { noun, nounId, action } = entry;
  if (noun !== 'reports' || nounId === null || action === 'report.deleted')
    return <bdi className="font-medium wrap-anywhere">{name}</bdi>;
  return (
    <Link
      to="/dashboard/reports/$fileId"
      params={{ fileId: nounId }}
      className="rounded font-medium wrap-anywhere hover:text-accent-text hover:underline"
    >
      <bdi>{name}</bdi>
    </Link>
  );
}

/** The action with its object, and the changes of an edit. */
export function ActionText({ entry }: { entry: ActivityEntry }) {
  const { verb, thing, tail } = sentenceOf(entry);
  return (
    <>
      {verb} {thing !== '' && <Thing entry={entry} name={thing} />}{' '}
      {tail !== '' && <span className="text-muted tabular-nums">{tail}</span>}
      <ChangeList noun={entry.noun} changes={changesOf(entry)} />
    </>
  );
}

/** Changes shown before 'More changes'. */
const shownAtOnce = 3;

const Value = ({ text }: { text: string }) =>
  text === '' ? <span className="text-muted italic">empty</span> : text;

interface ChangeLineProps {
  /** Noun that the field belongs to. */
  noun: string;
  field: string;
  change: Change;
}

function ChangeLine({ noun, field, change }: ChangeLineProps) {
  return (
    <li className="flex flex-wrap items-baseline gap-x-1.5 text-sm wrap-anywhere">
      <span className="text-muted">{fieldLabel(noun, field)}</span>
      <span className="sr-only">from</span>
      <del className="line-clamp-3 max-w-full rounded bg-hover px-1 text-muted">
        <Value text={fieldValue(noun, field, change.from)} />
      </del>
      <ArrowRight aria-hidden size={12} className="self-center text-muted" />
      <span className="sr-only">to</span>
      <ins className="line-clamp-3 max-w-full rounded bg-accent-soft px-1 text-accent-text no-underline">
        <Value text={fieldValue(noun, field, change.to)} />
      </ins>
    </li>
  );
}

interface ChangeListProps {
  noun: string;
  changes: readonly [field: string, change: Change][];
}

/** Changed fields with their values before and after. */
function ChangeList({ noun, changes }: ChangeListProps) {
  if (changes.length === 0) return null;
  const lines = changes.map(([field, change]) => (
    <ChangeLine key={field} noun={noun} field={field} change={change} />
  ));
  const more = lines.slice(shownAtOnce);
  return (
    <div className="mt-1">
      <ul aria-label="Changes" className="flex flex-col gap-0.5">
        {lines.slice(0, shownAtOnce)}
      </ul>
      {more.length > 0 && (
        <details className="mt-0.5">
          <summary className="w-fit cursor-pointer rounded text-sm text-accent-text">
            {formatCount(more.length)} more
          </summary>
          <ul aria-label="More changes" className="mt-0.5 flex flex-col gap-0.5">
            {more}
          </ul>
        </details>
      )}
    </div>
  );
}

/** The action; in narrow tables with person and time. */
export function What({ entry }: { entry: ActivityEntry }) {
  return (
    <div className="flex gap-2 py-1 whitespace-normal">
      <span className={hiddenFrom.md}>
        <Avatar entry={entry} />
      </span>
      <div className="min-w-0 flex-1 text-left first-letter:uppercase">
        <span className={`font-medium ${hiddenFrom.md}`}>{actorOf(entry).name} </span>
        <ActionText entry={entry} />
        <div className={`text-xs text-muted ${hiddenFrom.md}`}>
          <Time value={entry.at} />
          {entry.via === 'token' && ' · API token'}
          {entry.address !== '' && ` · ${entry.address}`}
        </div>
      </div>
    </div>
  );
}
