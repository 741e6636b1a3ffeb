import type { ActivityEntry } from '@riskboard/contract';
import { Badge } from '../../ui/badge.tsx';
import { Avatar } from './avatar.tsx';
import { doerOf } from './person.ts';

/** Who did it, and whether a program of theirs did. */
export function Doer({ entry }: { entry: ActivityEntry }) {
  const { name, email } = doerOf(entry);
  return (
    <span className="flex min-w-0 items-center gap-2">
      <Avatar entry={entry} />
      <span className="flex min-w-0 flex-col">
        <span className="flex min-w-0 items-center gap-2">
          <span className="max-w-44 truncate">{name}</span>
          {entry.via === 'token' && <Badge>API token</Badge>}
        </span>
        {email !== '' && (
          <span className="hidden max-w-52 truncate text-xs text-muted xl:block">{email}</span>
        )}
      </span>
    </span>
  );
}
