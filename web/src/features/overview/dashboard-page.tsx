import type { User } from '@riskboard/contract';
import { useQuery } from '@tanstack/react-query';
import { FileUp } from 'lucide-react';
import type { ReactNode } from 'react';
import { Card } from '../../ui/layout/card.tsx';
import { EmptyState } from '../../ui/feedback/empty-state.tsx';
import { ErrorState } from '../../ui/feedback/error-state.tsx';
import { PageHeader } from '../../ui/layout/page-header.tsx';
import { OverviewStats } from './overview-stats.tsx';
import { overviewQuery } from './queries.ts';
import { RecentFiles } from './recent-files.tsx';
import { RunningJobs } from './running-jobs.tsx';

interface DashboardPageProps {
  user: Pick<User, 'firstName' | 'organization'>;
  /** Starts an upload. The primary action of the page. */
  upload: ReactNode;
}

/** First page after the login: user and organization, totals of the reports, recent files and active jobs. */
export function DashboardPage({ user, upload }: DashboardPageProps) {
  const { data, error, refetch, isFetching } = useQuery(overviewQuery);
  const first = data?.files === 0;
  return (
    <>
      <PageHeader
        title={`Hello, ${user.firstName}`}
        description={user.organization || 'Organization not set'}
        actions={first ? undefined : upload}
      />
      <div className="flex flex-col gap-4">
        {error !== null && data === undefined && (
          <Card>
            <ErrorState
              title="Failed to load metrics"
              error={error}
              busy={isFetching}
              onRetry={() => void refetch()}
            />
          </Card>
        )}
        {first && (
          <Card>
            <EmptyState
              icon={<FileUp aria-hidden size={20} />}
              title="No reports yet"
              description="Upload a STIX or TAXII report (.json or .xml). Its vulnerabilities and threats can then be extracted into your lists."
              action={upload}
            />
          </Card>
        )}
        {!first && (error === null || data !== undefined) && <OverviewStats overview={data} />}
        <div className="grid grid-cols-1 items-start gap-4 xl:grid-cols-[3fr_2fr]">
          {!first && <RecentFiles />}
          {!first && <RunningJobs />}
        </div>
      </div>
    </>
  );
}
