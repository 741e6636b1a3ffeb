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

/** Milliseconds between two looks, for the case that the socket says nothing. */
const lookEvery = 2000;

/** The newer of what the list and the socket say about the deletion. */
function useDeletion(): Job | undefined {
  const { data: listed } = useQuery({ ...deletionQuery, refetchInterval: lookEvery });
  const told = [...useJobs().values()].find(({ kind }) => kind === 'organization.delete');
  if (listed === null || listed === undefined) return told;
  return told !== undefined && told.version > listed.version ? told : listed;
}

/** How far the deletion of the organisation is; its end is the login page. */
export function DeletionProgress({ organization }: { organization: Organization }) {
  const job = useDeletion();
  const percent = job === undefined ? null : percentOf(job);
  const failed = job?.state === 'failed';
  return (
    <Card title="Deleting the organization">
      <div className="flex flex-col gap-3 p-4" aria-live="polite">
        <p>
          <strong className="font-medium">{organizationName({ organization: organization.name })}</strong> and
          everything in it is being deleted. Nothing can be changed here any more. At the end you are logged
          out.
        </p>
        {failed ? (
          <p className="text-danger">
            The deletion stopped: {job.error?.message ?? 'the reason is not known'}. Try it again from{' '}
            <Link to="/dashboard/jobs" className={linkStyle}>
              Jobs
            </Link>
            .
          </p>
        ) : (
          <>
            <p className="flex justify-between gap-4 text-sm text-muted tabular-nums">
              <span>{job === undefined ? 'Waiting for a worker' : stageOf(job)}</span>
              {percent !== null && <span>{percent}%</span>}
            </p>
            <ProgressBar
              label="Deletion of the organization"
              value={percent === null ? null : percent / 100}
              tone="danger"
            />
          </>
        )}
      </div>
    </Card>
  );
}
