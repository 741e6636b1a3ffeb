import { formatCount } from '@riskboard/domain';
import { ListChecks } from 'lucide-react';
import { useSyncExternalStore } from 'react';
import { jobDrawer } from '../../lib/jobs/job-drawer-state.ts';
import { jobStore } from '../../lib/jobs/job-store.ts';
import { IconButton } from '../../ui/button/icon-button.tsx';

/** Opens the job drawer; shows the number of active jobs. */
export function JobDrawerButton() {
  const count = useSyncExternalStore(jobStore.subscribe, jobStore.liveCount);
  return (
    <span className="relative inline-flex">
      <IconButton
        label={count === 0 ? 'Background jobs' : `Background jobs: ${formatCount(count)} active`}
        icon={<ListChecks aria-hidden size={16} />}
        onClick={() => jobDrawer.set(true)}
      />
      {count > 0 && (
        <span
          aria-hidden
          className="pointer-events-none absolute -top-1 -right-1 min-w-4 rounded-full bg-accent px-1 text-center text-[10px] leading-4 font-semibold text-on-accent tabular-nums"
        >
          {count > 99 ? '99+' : formatCount(count)}
        </span>
      )}
    </span>
  );
}
