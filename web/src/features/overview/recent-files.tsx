import { listVersions, plural } from '@riskboard/domain';
import type { Reply, reports } from '@riskboard/contract';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { ReportFile } from '@riskboard/contract';
import { formatSize } from '../../lib/format/format.ts';
import { fileLook } from '../../lib/jobs/file-states.ts';
import { NotedBadge, StateBadge } from '../../ui/badge/badge.tsx';
import { Card } from '../../ui/layout/card.tsx';
import { ErrorState } from '../../ui/feedback/error-state.tsx';
import { FileSize } from '../../ui/text/file.tsx';
import { loneLinkStyle } from '../../ui/button/link-style.ts';
import { PathLink } from '../../ui/button/path-link.tsx';
import { Skeleton } from '../../ui/feedback/skeleton.tsx';
import { Time } from '../../ui/text/time.tsx';
import { recentFilesQuery } from './queries.ts';

type Overview = Reply<(typeof reports)['overview']>;

/** The latest reports and their extraction state. */
export function RecentFiles({ overview }: { overview: Overview | undefined }) {
  const { data, error, refetch, isFetching } = useQuery(recentFilesQuery);
  return (
    <Card
      title="Recent reports"
      actions={
        <PathLink path="/dashboard/reports" className={loneLinkStyle}>
          {overview === undefined
            ? 'All files'
            : `${overview.files === 1 ? '' : 'All '}${plural(overview.files, 'file')}, ${formatSize(overview.bytes)}`}
        </PathLink>
      }
    >
      {error !== null && data === undefined ? (
        <ErrorState
          title="Failed to load files."
          error={error}
          busy={isFetching}
          onRetry={() => void refetch()}
        />
      ) : (
        <ul className="divide-y">
          {data?.files.map((file) => <RecentFile key={file._id} file={file} />) ?? <Placeholder />}
        </ul>
      )}
    </Card>
  );
}

function RecentFile({ file }: { file: ReportFile }) {
  const version =
    file.stixVersion === null ? file.media.toUpperCase() : `STIX ${listVersions(file.stixVersion)}`;
  return (
    <li className="flex min-h-14 flex-wrap items-center gap-x-3 gap-y-1 px-4 py-2 sm:flex-nowrap">
      <div className="min-w-0 grow basis-full sm:basis-0">
        <Link
          to="/dashboard/reports/$fileId"
          params={{ fileId: file._id }}
          className="block truncate rounded font-medium hover:underline"
        >
          {file.originalFilename}
        </Link>
        <p className="flex flex-wrap gap-x-3 text-sm text-muted">
          <span>{version}</span>
          <FileSize bytes={file.size} />
          {file.parseState === 'succeeded' && (
            <>
              <span className="hidden sm:inline">
                {plural(file.vulnerabilityCount, 'vulnerability', 'vulnerabilities')}
              </span>
              <span className="hidden sm:inline">{plural(file.threatCount, 'threat')}</span>
            </>
          )}
        </p>
      </div>
      <RecentState file={file} />
      <span className="text-sm text-muted">
        <Time value={file.uploadDate} form="absolute" />
      </span>
    </li>
  );
}

/** Shows only issues, failures and pending states, with the labels of the list of files. */
function RecentState({ file }: { file: ReportFile }) {
  if (file.parseState === 'succeeded' && file.issues === 0) return null;
  if (file.parseState === 'queued' || file.parseState === 'running')
    return <StateBadge state={file.parseState} />;
  const { word, tone, note } = fileLook(file);
  return (
    <span className="shrink-0">
      <NotedBadge tone={tone} note={note}>
        {word}
      </NotedBadge>
    </span>
  );
}

/** As many as files are shown. */
const lines = ['56%', '42%', '64%'] as const;

function Placeholder() {
  return lines.map((width) => (
    <li key={width} className="flex min-h-14 items-center px-4">
      <Skeleton width={width} />
    </li>
  ));
}
