import { WifiOff } from 'lucide-react';
import { useLiveState } from '../../lib/live/live-state.ts';

/** Says that nothing comes any more, so that nobody trusts old numbers. */
export function OfflineBanner() {
  const offline = useLiveState() === 'offline';
  return (
    <output>
      {offline && (
        <span className="flex items-center gap-2 border-b bg-warning-soft px-4 py-2 text-sm text-warning sm:px-6">
          <WifiOff aria-hidden size={16} className="shrink-0" />
          Riskboard cannot be reached. What you see may be out of date; it is refreshed as soon as the
          connection is back.
        </span>
      )}
    </output>
  );
}
