import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { Card } from '../../ui/layout/card.tsx';
import { overviewQuery } from './queries.ts';
import { RecentFiles } from './recent-files.tsx';
import { RunningJobs } from './running-jobs.tsx';

/** The latest reports and the active jobs in a few lines; before the first report, how to upload one. */
export function ReportStrip({ upload }: { upload: ReactNode }) {
  const { data } = useQuery(overviewQuery);
  if (data?.files === 0) {
    return (
      <Card title="Reports">
        <div className="flex flex-wrap items-center justify-between gap-x-6 gap-y-3 px-4 py-3">
          <div className="min-w-0">
            <p className="font-medium">No reports yet</p>
            <p className="max-w-160 text-sm text-muted">
              Upload a STIX or TAXII report (.json or .xml). Its vulnerabilities and threats can then be
              extracted into your lists.
            </p>
          </div>
          {upload}
        </div>
      </Card>
    );
  }
  return (
    <div className="grid grid-cols-1 items-start gap-3 sm:gap-4 xl:grid-cols-2">
      <RecentFiles overview={data} />
      <RunningJobs failed={data?.jobs.failed ?? 0} />
    </div>
  );
}
