import { LoaderCircle, WifiOff } from 'lucide-react';
import { useLiveState, type LiveState } from '../../lib/live/live-state.ts';
import { useDelayed } from '../../lib/hooks/use-delayed.ts';
import { Tooltip } from '../../ui/popup/tooltip.tsx';

const looks = {
  live: {
    word: 'Live',
    tone: 'text-success',
    icon: <span aria-hidden className="size-2 rounded-full bg-current" />,
    reason: 'Changes appear as they happen.',
  },
  reconnecting: {
    word: 'Reconnecting',
    tone: 'text-warning',
    icon: <LoaderCircle aria-hidden size={14} className="animate-spin" />,
    reason: 'The live connection is being restored. Data refreshes every 15 seconds.',
  },
  offline: {
    word: 'Offline',
    tone: 'text-danger',
    icon: <WifiOff aria-hidden size={14} />,
    reason: 'Riskboard cannot be reached. Data may be out of date.',
  },
} as const satisfies Record<LiveState, unknown>;

/** State of the live connection. */
export function LiveBadge() {
  const state = useLiveState();
  // A new page connects quickly; only a longer delay is shown.
  const lasting = useDelayed(state === 'reconnecting', 1000);
  if (state === 'reconnecting' && !lasting) return null;
  const { word, tone, icon, reason } = looks[state];
  return (
    <Tooltip content={reason} side="bottom">
      <button
        type="button"
        className={`inline-flex h-7 cursor-default items-center gap-2 rounded px-2 text-sm font-medium ${tone}`}
      >
        {icon}
        <output className="sr-only sm:not-sr-only">{word}</output>
      </button>
    </Tooltip>
  );
}
