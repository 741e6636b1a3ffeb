import type { Job } from '@riskboard/contract';
import { plural } from '@riskboard/domain';
import { TriangleAlert } from 'lucide-react';
import { issuesOf } from '../../lib/jobs/job-labels.ts';
import { Badge, StateBadge } from '../../ui/badge/badge.tsx';

/** State of a job; one that succeeded with issues is not plain green. */
export function JobBadge({ job }: { job: Job }) {
  const issues = issuesOf(job);
  if (issues === 0) return <StateBadge state={job.state} />;
  return (
    <Badge tone="warning" wraps icon={<TriangleAlert aria-hidden size={12} className="shrink-0" />}>
      Done with {plural(issues, 'issue')}
    </Badge>
  );
}
