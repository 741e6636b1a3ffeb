import { headlineText, type SecurityStatus } from '@riskboard/domain';
import { ShieldAlert, ShieldCheck, ShieldX, type LucideIcon } from 'lucide-react';
import { dayAt } from '../../../lib/format/day.ts';
import type { Metrics } from '../../../lib/overview/metrics-query.ts';
import { PathLink } from '../../../ui/button/path-link.tsx';
import { Skeleton } from '../../../ui/feedback/skeleton.tsx';
import { ExplainedNumber, type Explain } from './explained-number.tsx';

interface Look {
  readonly label: string;
  readonly style: string;
  readonly Icon: LucideIcon;
}

export const statusLooks = {
  excellent: { label: 'Excellent', style: 'bg-success-soft text-success', Icon: ShieldCheck },
  good: { label: 'Good', style: 'bg-success-soft text-success', Icon: ShieldCheck },
  fair: { label: 'Fair', style: 'bg-warning-soft text-warning', Icon: ShieldAlert },
  poor: { label: 'Poor', style: 'bg-high-soft text-high', Icon: ShieldAlert },
  critical: { label: 'Critical', style: 'bg-critical-soft text-critical', Icon: ShieldX },
} as const satisfies Record<SecurityStatus, Look>;

/** The sentences with the weekdays of the reader's time zone. */
const sentencesOf = ({ headline, asOf }: Metrics) =>
  headline.map(({ text, link, since }) => ({
    text: headlineText({ text, since }, { written: asOf.slice(0, 10), today: dayAt(Date.parse(asOf)) }),
    link,
  }));

interface SecurityBannerProps {
  /** Undefined while they load: the status is then good (spec 4). */
  metrics: Metrics | undefined;
  explain: Explain;
}

/** The security status, and the situation in sentences that the API computes from the numbers. */
export function SecurityBanner({ metrics, explain }: SecurityBannerProps) {
  const { label, style, Icon } = statusLooks[metrics?.securityStatus ?? 'good'];
  return (
    <section aria-label="Security status" className="flex flex-col rounded border bg-surface sm:flex-row">
      <div
        className={`flex shrink-0 items-center gap-3 rounded-t px-4 py-3 sm:w-52 sm:rounded-l sm:rounded-tr-none sm:px-5 sm:py-4 ${style}`}
      >
        <Icon aria-hidden size={28} className="shrink-0" />
        <div>
          <h2 className="text-sm">Security status</h2>
          {metrics === undefined ? (
            <p className="min-h-7 text-xl font-semibold">{label}</p>
          ) : (
            <ExplainedNumber
              metric="securityStatus"
              label="Security status"
              text={label}
              explain={explain}
              className="text-xl font-semibold"
            />
          )}
        </div>
      </div>
      <div className="flex min-h-21 min-w-0 flex-col justify-center gap-1 px-4 py-3 sm:px-5">
        {metrics === undefined ? (
          <>
            <Skeleton width="min(420px, 80%)" />
            <Skeleton width="min(280px, 60%)" />
          </>
        ) : (
          sentencesOf(metrics).map(({ text, link }, at) => (
            <p
              key={text}
              className={at === 0 ? 'text-lg font-semibold text-pretty' : 'text-base text-pretty text-muted'}
            >
              {link === null ? (
                text
              ) : (
                <PathLink path={link} className="rounded underline-offset-3 hover:underline">
                  {text}
                </PathLink>
              )}
            </p>
          ))
        )}
      </div>
    </section>
  );
}
