import type { Job } from '@riskboard/contract';
import { formatCount, plural } from '@riskboard/domain';
import { TriangleAlert } from 'lucide-react';
import { issuesOf, stateLabels } from '../../lib/jobs/job-labels.ts';
import { NotedBadge, StateBadge } from '../../ui/badge/badge.tsx';

/** State of a job; one that succeeded with issues is not plain green. */
export function JobBadge({ job }: { job: Job }) {
  const issues = issuesOf(job);
  if (issues === 0) return <StateBadge state={job.state} />;
  return (
    <NotedBadge
      tone="warning"
      icon={<TriangleAlert aria-hidden size={12} className="shrink-0" />}
      note={job.kind === 'stix.extract' ? `${formatCount(issues)} skipped` : plural(issues, 'issue')}
    >
      {stateLabels[job.state]}
    </NotedBadge>
  );
}
