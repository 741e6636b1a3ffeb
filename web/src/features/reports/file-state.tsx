import type { ReportFile } from '@riskboard/contract';
import { TriangleAlert } from 'lucide-react';
import { plural } from '../../lib/format/format.ts';
import { Badge } from '../../ui/badge/badge.tsx';
import { Tooltip } from '../../ui/popup/tooltip.tsx';
import { useLiveJob } from './file-job.ts';
import { fileStateOf, fileStates } from '../../lib/jobs/file-states.ts';
import { JobLine } from './job-line.tsx';

/** Where a report stands: the job at work on it, or what came of it. */
export function FileState({ file }: { file: ReportFile }) {
  const job = useLiveJob(file._id);
  if (job !== undefined) return <JobLine job={job} />;
  const { word, tone } = fileStates[fileStateOf(file)];
  const warnings = file.warnings.reduce((sum, warning) => sum + warning.count, 0);
  return (
    <span className="inline-flex flex-wrap items-center gap-1.5 sm:flex-nowrap">
      <Badge tone={tone}>{word}</Badge>
      {file.incomplete && (
        <Tooltip content="This is one page of a TAXII collection; more pages follow.">
          <button type="button" className="cursor-default">
            <Badge tone="warning">Incomplete</Badge>
          </button>
        </Tooltip>
      )}
      {warnings > 0 && (
        <span title={plural(warnings, 'warning')} className="text-warning">
          <TriangleAlert aria-label={plural(warnings, 'warning')} size={14} />
        </span>
      )}
    </span>
  );
}
