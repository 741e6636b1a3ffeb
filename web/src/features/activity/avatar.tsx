import type { ActivityEntry } from '@riskboard/contract';
import { Bot, UserRound } from 'lucide-react';
import { doerOf, initialsOf } from './person.ts';

const round = 'flex size-6 shrink-0 items-center justify-center rounded-full';

/** Initials of who did it; the name stands beside it. */
export function Avatar({ entry }: { entry: Pick<ActivityEntry, 'actor' | 'via'> }) {
  if (entry.actor === '') {
    const Icon = entry.via === 'system' ? Bot : UserRound;
    return (
      <span aria-hidden className={`${round} bg-hover text-muted`}>
        <Icon size={14} />
      </span>
    );
  }
  return (
    <span
      aria-hidden
      className={`${round} bg-accent-soft text-[10px] leading-none font-semibold text-accent-text`}
    >
      {initialsOf(doerOf(entry).name)}
    </span>
  );
}
