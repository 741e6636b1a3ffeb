import { listVersions, formatCount } from '@riskboard/domain';
import type { Reply, reports } from '@riskboard/contract';
import { Bug, FolderOpen, ListChecks, ShieldAlert } from 'lucide-react';
import { formatSize } from '../../lib/format/format.ts';
import { StatCard } from '../../ui/layout/stat-card.tsx';

type Overview = Reply<(typeof reports)['overview']>;

/** '3 running · 2 failed', or a text for zero of both. */
function jobsDetail({ running, queued, failed }: Overview['jobs']): string {
  const parts = [
    { count: running, word: 'running' },
    { count: queued, word: 'queued' },
    { count: failed, word: 'failed' },
  ].filter(({ count }) => count > 0);
  if (parts.length === 0) return 'No running or failed jobs';
  return parts.map(({ count, word }) => `${formatCount(count)} ${word}`).join(' · ');
}

/**
 * '44.82 GB in STIX 2.1, 2.0 and 1.2', with the most frequent version first. Files that were not read have none; a file of
 * several versions counts for each.
 */
function filesDetail({ bytes, byVersion }: Overview): string {
  const files = new Map<string, number>();
  for (const [versions, count] of Object.entries(byVersion)) {
    if (versions === 'unknown') continue;
    for (const version of versions.split(',')) files.set(version, (files.get(version) ?? 0) + count);
  }
  if (files.size === 0) return formatSize(bytes);
  const sorted = [...files].toSorted(([, a], [, b]) => b - a).map(([version]) => version);
  return `${formatSize(bytes)} in STIX ${listVersions(sorted.join(','))}`;
}

/** Totals over the organization's reports. */
export function OverviewStats({ overview }: { overview: Overview | undefined }) {
  const active = overview && overview.jobs.running + overview.jobs.queued;
  return (
    <section aria-label="Overview" className="grid grid-cols-2 gap-3 sm:gap-4 xl:grid-cols-4">
      <StatCard
        label="Reports"
        value={overview?.files}
        detail={overview && filesDetail(overview)}
        icon={<FolderOpen aria-hidden size={16} />}
        to="/dashboard/reports"
      />
      <StatCard
        label="Vulnerabilities"
        value={overview?.vulnerabilities}
        detail="Extracted from reports"
        icon={<Bug aria-hidden size={16} />}
        to="/dashboard/reports/vulnerabilities"
      />
      <StatCard
        label="Threats"
        value={overview?.threats}
        detail="Extracted from reports"
        icon={<ShieldAlert aria-hidden size={16} />}
        to="/dashboard/reports/threats"
      />
      <StatCard
        label="Active jobs"
        value={active}
        detail={overview && jobsDetail(overview.jobs)}
        icon={<ListChecks aria-hidden size={16} />}
        to="/dashboard/jobs"
      />
    </section>
  );
}
