import type { ActivityEntry } from '@riskboard/contract';
import { Avatar } from './avatar.tsx';
import { doerOf } from './person.ts';

/** Who did it, and whether a program of theirs did. */
export function Doer({ entry }: { entry: ActivityEntry }) {
  const { name, email } = doerOf(entry);
  return (
    <span className="flex min-w-0 items-center gap-2">
      <Avatar entry={entry} />
      <span className="flex min-w-0 flex-col">
        <span className="max-w-44 truncate">{name}</span>
        <span className="max-w-52 truncate text-xs text-muted">
          <span className="hidden xl:inline">{email}</span>
          {entry.via === 'token' && (
            <>
              {email !== '' && <span className="hidden xl:inline"> · </span>}
              API token
            </>
          )}
        </span>
      </span>
    </span>
  );
}
