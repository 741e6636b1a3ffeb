import { withdrawalLabels, type JobState } from '@riskboard/contract';
import { severityBandOf, riskBandOf, type RiskBand } from '@riskboard/domain';
import { cva } from 'class-variance-authority';
import { Ban, CircleAlert, CircleCheck, Clock, LoaderCircle, Archive } from 'lucide-react';
import type { ReactNode } from 'react';
import { formatScore } from '../../lib/format/format.ts';
import { Empty } from '../text/empty.tsx';

const badge = cva(
  'inline-flex min-h-5 items-center gap-1 rounded-[10px] px-2 text-xs font-medium tabular-nums',
  {
    variants: {
      wraps: { true: 'py-0.5 text-balance whitespace-normal', false: 'whitespace-nowrap' },
      tone: {
        neutral: 'bg-hover text-muted',
        // The ground of selected rows is the same.
        info: 'bg-info-soft text-info group-aria-[current=true]/row:bg-surface group-aria-selected/row:bg-surface',
        success: 'bg-success-soft text-success',
        warning: 'bg-warning-soft text-warning',
        danger: 'bg-danger-soft text-danger',
        critical: 'bg-critical-soft text-critical',
        high: 'bg-high-soft text-high',
        medium: 'bg-medium-soft text-medium',
        low: 'bg-low-soft text-low',
      },
    },
  },
);

export type BadgeTone =
  | 'neutral'
  | 'info'
  | 'success'
  | 'warning'
  | 'danger'
  | 'critical'
  | 'high'
  | 'medium'
  | 'low';

interface BadgeProps {
  tone?: BadgeTone;
  icon?: ReactNode;
  /** Its text takes two lines where it has no room. */
  wraps?: boolean;
  /** Text, so that color is never the only information. */
  children: ReactNode;
}

/** A short highlighted label. */
export function Badge({ tone = 'neutral', icon, wraps = false, children }: BadgeProps) {
  return (
    <span className={badge({ tone, wraps })}>
      {icon}
      {children}
    </span>
  );
}

interface NotedBadgeProps extends BadgeProps {
  /** Empty: only the label. */
  note: string;
}

/** A label with a number that belongs to it, such as 'Extracted' and '3 issues'; the number is below it in a narrow column. */
export function NotedBadge({ note, ...badgeProps }: NotedBadgeProps) {
  return (
    <span className="inline-flex flex-wrap items-center gap-x-1.5">
      <Badge {...badgeProps} wraps />
      {note !== '' && <span className="text-xs whitespace-nowrap text-muted tabular-nums">{note}</span>}
    </span>
  );
}

interface SeverityBadgeProps {
  /** 0-10; null when unknown, shown as N/A. */
  score: number | null;
}

/** Score and band of a severity or CVSS score (contract, Meanings: severity bands everywhere). */
export function SeverityBadge({ score }: SeverityBadgeProps) {
  if (score === null) return <Empty />;
  const { value, label } = severityBandOf(score);
  return (
    <Badge tone={value}>
      {formatScore(score)} {label}
    </Badge>
  );
}

/** Green, amber, red (spec 9, Threats). */
const tones = { low: 'low', medium: 'medium', high: 'danger' } as const satisfies Record<RiskBand, BadgeTone>;

interface RiskBadgeProps {
  /** 0-100; null when not assessed. */
  level: number | null;
}

/** Level and band of a threat's risk. */
export function RiskBadge({ level }: RiskBadgeProps) {
  if (level === null) return <Empty />;
  const { value, label } = riskBandOf(level);
  return (
    <Badge tone={tones[value]}>
      {level} {label}
    </Badge>
  );
}

const looks = {
  queued: { word: 'Queued', tone: 'neutral', Icon: Clock },
  running: { word: 'Running', tone: 'info', Icon: LoaderCircle },
  succeeded: { word: 'Done', tone: 'success', Icon: CircleCheck },
  failed: { word: 'Failed', tone: 'danger', Icon: CircleAlert },
  cancelled: { word: 'Cancelled', tone: 'neutral', Icon: Ban },
} as const satisfies Record<JobState, { word: string; tone: BadgeTone; Icon: typeof Clock }>;

/** State of a job, or of a file's latest parse. */
export function StateBadge({ state }: { state: JobState }) {
  const { word, tone, Icon } = looks[state];
  return (
    <Badge
      tone={tone}
      icon={<Icon aria-hidden size={12} className={state === 'running' ? 'animate-spin' : ''} />}
    >
      {word}
    </Badge>
  );
}

interface WithdrawnBadgeProps {
  withdrawn: keyof typeof withdrawalLabels | null;
}

/** Marks a record that its reports have revoked, deprecated or superseded; renders nothing otherwise. */
export function WithdrawnBadge({ withdrawn }: WithdrawnBadgeProps) {
  if (withdrawn === null) return null;
  return (
    <Badge tone="warning" icon={<Archive aria-hidden size={12} />}>
      {withdrawalLabels[withdrawn]}
    </Badge>
  );
}
