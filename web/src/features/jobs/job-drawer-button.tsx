import { ListChecks } from 'lucide-react';
import { formatCount, plural } from '../../lib/format/format.ts';
import { useJobs } from '../../lib/jobs/job-store.ts';
import { isLive } from '../../lib/jobs/job-labels.ts';
import { IconButton } from '../../ui/button/icon-button.tsx';
import { jobDrawer } from './job-drawer-state.ts';

/** Opens the job drawer; tells how many jobs run or wait. */
export function JobDrawerButton() {
  const count = [...useJobs().values()].filter(isLive).length;
  return (
    <span className="relative inline-flex">
      <IconButton
        label={count === 0 ? 'Background jobs' : `Background jobs: ${plural(count, 'job')} under way`}
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
