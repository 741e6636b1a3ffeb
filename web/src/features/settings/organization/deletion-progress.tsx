import type { Job, Organization } from '@riskboard/contract';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useJobs } from '../../../lib/jobs/job-store.ts';
import { percentOf, stageOf } from '../../../lib/jobs/job-labels.ts';
import { organizationName } from '../../../lib/session/account.ts';
import { Card } from '../../../ui/layout/card.tsx';
import { linkStyle } from '../../../ui/button/link-style.ts';
import { ProgressBar } from '../../../ui/feedback/progress-bar.tsx';
import { deletionQuery } from '../queries.ts';

/** Polling interval in milliseconds, in case the socket is disconnected. */
const pollMs = 2000;

/** The job that deletes the organization: the newer version of those from the list and the socket. */
function useDeletion(): Job | undefined {
  const { data: listed } = useQuery({ ...deletionQuery, refetchInterval: pollMs });
  const live = [...useJobs().values()].find(({ kind }) => kind === 'organization.delete');
  if (listed === null || listed === undefined) return live;
  return live !== undefined && live.version > listed.version ? live : listed;
}

/** Progress of the deletion of the organization, which ends with a logout. */
export function DeletionProgress({ organization }: { organization: Organization }) {
  const job = useDeletion();
  const percent = job === undefined ? null : percentOf(job);
  const failed = job?.state === 'failed';
  const stage = job === undefined ? 'Waiting for a worker' : stageOf(job);
  return (
    <Card title="Deleting the organization">
      <div className="flex flex-col gap-3 p-4">
        <p>
          <strong className="font-medium">{organizationName({ organization: organization.name })}</strong> and
          all its data are being deleted. Changes are no longer possible. You will be logged out at the end.
        </p>
        <div className="flex justify-between gap-4 text-sm text-muted tabular-nums">
          {/* Without the percentage, which changes several times a second. */}
          <p aria-live="polite">
            {failed ? (
              <span className="text-base text-danger">
                The deletion failed: {job.error?.message ?? 'unknown error'}. Retry it from{' '}
                <Link to="/dashboard/jobs" className={linkStyle}>
                  Jobs
                </Link>
                , or wait: it is tried again after 10 minutes.
              </span>
            ) : (
              stage
            )}
          </p>
          {!failed && percent !== null && <span>{percent}%</span>}
        </div>
        {!failed && (
          <ProgressBar
            label="Deletion of the organization"
            value={percent === null ? null : percent / 100}
            tone="danger"
          />
        )}
      </div>
    </Card>
  );
}
