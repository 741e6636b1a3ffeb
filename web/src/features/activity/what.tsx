import type { ActivityEntry } from '@riskboard/contract';
import { Time } from '../../ui/text/time.tsx';
import { Avatar } from './avatar.tsx';
import { Deed } from './deed.tsx';
import { doerOf } from './person.ts';

/** What was done; on a narrow screen it tells who and when as well. */
export function What({ entry }: { entry: ActivityEntry }) {
  return (
    <div className="flex gap-2 py-1">
      <span className="md:hidden">
        <Avatar entry={entry} />
      </span>
      <div className="min-w-0 flex-1 text-left first-letter:uppercase md:min-w-60">
        <span className="font-medium md:hidden">{doerOf(entry).name} </span>
        <Deed entry={entry} />
        <div className="text-xs text-muted md:hidden">
          <Time value={entry.at} />
          {entry.via === 'token' && ' · API token'}
          {entry.address !== '' && ` · ${entry.address}`}
        </div>
      </div>
    </div>
  );
}
