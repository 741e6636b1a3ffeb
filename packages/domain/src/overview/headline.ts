import { formatDay } from '../day.ts';
import { lazily } from '../lazily.ts';
import { plural } from '../count.ts';
import type { OverviewCounts } from './counts.ts';
import { daysBetween } from './days.ts';
import { overviewLinks } from './insights.ts';
import { overallRisk } from './overall-risk.ts';
import { exceededLimit, type ExceededLimit } from './security-status.ts';

export interface HeadlineSentence {
  readonly text: string;
  /** The list with the rows of the sentence; null without such a list. */
  readonly link: string | null;
  /** UTC day that the sentence compares with, YYYY-MM-DD; null without one. */
  readonly since: string | null;
}

/** The counts at the end of an earlier UTC day, YYYY-MM-DD. */
export interface EarlierCounts {
  readonly day: string;
  readonly counts: OverviewCounts;
}

const urgentLink =
  '/dashboard/vulnerabilities?status=new&severity=critical&onAssets=mission-critical' as const;
const severeLink =
  '/dashboard/vulnerabilities?status=open&severity=critical&severity=high&onAssets=mission-critical' as const;

const weekday = lazily(() => new Intl.DateTimeFormat('en-US', { weekday: 'long', timeZone: 'UTC' }));

/** 'Monday' within the last six days, 'last Monday' on a Monday, otherwise 'Nov 2, 2026'. */
function dayName(day: string, today: string): string {
  const days = daysBetween(day, today);
  if (days > 7) return formatDay(day);
  const moment = new Date(`${day}T00:00:00Z`);
  return days === 7 ? `last ${weekday().format(moment)}` : weekday().format(moment);
}

const sinceText = (day: string, today: string): string => `since ${dayName(day, today)}`;

/**
 * The text of a sentence that was written on another day: the name of a weekday depends on the reader's today.
 * @param written UTC day on which the sentence was computed, YYYY-MM-DD
 * @param today the reader's day, YYYY-MM-DD
 */
export const headlineText = (
  { text, since }: Pick<HeadlineSentence, 'text' | 'since'>,
  { written, today }: Readonly<Record<'written' | 'today', string>>,
): string => (since === null ? text : text.replace(sinceText(since, written), sinceText(since, today)));

type Fact = Omit<HeadlineSentence, 'since'>;

const criticalOpenFact = (count: number): Fact => ({
  text: `${plural(count, 'critical vulnerability is', 'critical vulnerabilities are')} open`,
  link: overviewLinks.criticalOpen,
});
const atRiskFact = (count: number): Fact => ({
  text: `${plural(count, 'asset is', 'assets are')} at risk`,
  link: overviewLinks.atRisk,
});
const highThreatsFact = (count: number): Fact => ({
  text: `${plural(count, 'threat has', 'threats have')} a high risk level`,
  link: overviewLinks.highThreats,
});

const limitFacts = {
  criticalOpen: criticalOpenFact,
  highThreats: highThreatsFact,
  assetsAtRisk: atRiskFact,
} as const satisfies Record<ExceededLimit['count'], (count: number) => Fact>;

/** Why the security status is not good, such as '15 threats have a high risk level, more than 10'. */
function statusSentence(counts: OverviewCounts): Fact | undefined {
  const exceeded = exceededLimit(counts);
  if (exceeded === undefined) return undefined;
  const { count, limit } = exceeded;
  const { text, link } = limitFacts[count](counts[count]);
  return { text: limit === 0 ? text : `${text}, more than ${limit}`, link };
}

/** The most important fact about the rows. */
function mainSentence(counts: OverviewCounts): Fact {
  const { newCriticalOnMissionCritical, criticalOpen, severeOnMissionCritical } = counts;
  const { assetsAtRisk, newVulnerabilities, openVulnerabilities } = counts;
  if (newCriticalOnMissionCritical > 0)
    return {
      text: `${plural(newCriticalOnMissionCritical, 'new critical vulnerability', 'new critical vulnerabilities')} on mission-critical assets`,
      link: urgentLink,
    };
  if (criticalOpen > 0) return criticalOpenFact(criticalOpen);
  if (severeOnMissionCritical > 0)
    return {
      text: `${plural(severeOnMissionCritical, 'high vulnerability', 'high vulnerabilities')} on mission-critical assets`,
      link: severeLink,
    };
  if (assetsAtRisk > 0) return atRiskFact(assetsAtRisk);
  if (newVulnerabilities > 0)
    return {
      text: `${plural(newVulnerabilities, 'new vulnerability', 'new vulnerabilities')} in the last 30 days, without a critical one`,
      link: overviewLinks.new,
    };
  if (openVulnerabilities > 0)
    return {
      text: `${plural(openVulnerabilities, 'vulnerability is', 'vulnerabilities are')} open, without a critical or new one`,
      link: overviewLinks.open,
    };
  return { text: 'No vulnerabilities are open and no assets are at risk', link: null };
}

/** How the overall risk score compares with an earlier day. */
function riskSentence(counts: OverviewCounts, { day, counts: before }: EarlierCounts, today: string): string {
  const [now, then] = [overallRisk(counts).score, overallRisk(before).score];
  const since = sinceText(day, today);
  if (now === then) return `Risk unchanged ${since}: ${now} of 100`;
  return `Risk ${now > then ? 'up' : 'down'} ${Math.abs(now - then)} ${since}: ${now} of 100`;
}

/**
 * The rule that decided the security status, where a limit is exceeded, then what is most important today, then the
 * overall risk score. Each is computed from counts, and from the counts of a recorded
 * day where there is one.
 * @param today UTC day, YYYY-MM-DD
 */
export function overviewHeadline(
  counts: OverviewCounts,
  today: string,
  earlier: EarlierCounts | undefined,
): HeadlineSentence[] {
  const { totalThreats, vulnerabilities, assets } = counts;
  if (totalThreats + vulnerabilities + assets === 0)
    return [
      {
        text: 'Upload a report or create a project with assets to see your risk',
        link: '/dashboard/reports',
        since: null,
      },
    ];
  const { score, band } = overallRisk(counts);
  const risk =
    earlier === undefined
      ? `Overall risk ${score} of 100, ${band.label}`
      : riskSentence(counts, earlier, today);
  const [status, main] = [statusSentence(counts), mainSentence(counts)];
  const facts = status === undefined ? [main] : [status, ...(main.link === status.link ? [] : [main])];
  return [
    ...facts.map((fact) => ({ ...fact, since: null })),
    { text: risk, link: null, since: earlier?.day ?? null },
  ];
}
