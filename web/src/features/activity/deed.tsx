import type { ActivityEntry } from '@riskboard/contract';
import { Link } from '@tanstack/react-router';
import { ChangeList } from './change-list.tsx';
import { changesOf, sentenceOf } from './sentence.ts';

/** The thing by its name; a link where it has a page and was not deleted by this very deed. */
function Thing({ entry, name }: { entry: ActivityEntry; name: string }) {
  const { noun, nounId, action } = entry;
  if (noun !== 'reports' || nounId === null || action === 'report.deleted')
    return <span className="font-medium wrap-anywhere">{name}</span>;
  return (
    <Link
      to="/dashboard/reports/$fileId"
      params={{ fileId: nounId }}
      className="rounded font-medium wrap-anywhere hover:text-accent-text hover:underline"
    >
      {name}
    </Link>
  );
}

/** What was done to what, and what an edit changed. */
export function Deed({ entry }: { entry: ActivityEntry }) {
  const { verb, thing, tail } = sentenceOf(entry);
  return (
    <>
      {verb} {thing !== '' && <Thing entry={entry} name={thing} />}{' '}
      {tail !== '' && <span className="text-muted tabular-nums">{tail}</span>}
      <ChangeList noun={entry.noun} changes={changesOf(entry)} />
    </>
  );
}
