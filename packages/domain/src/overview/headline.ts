import { formatDay } from '../day.ts';
import { lazily } from '../lazily.ts';
import { plural } from '../count.ts';
import type { OverviewCounts } from './counts.ts';
import { daysBetween } from './days.ts';
import { overviewLinks } from './insights.ts';
import { overallRisk } from './overall-risk.ts';

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

/** The most important fact about the rows. */
function mainSentence(counts: OverviewCounts): Omit<HeadlineSentence, 'since'> {
  const { newCriticalOnMissionCritical, criticalOpen, severeOnMissionCritical } = counts;
  const { assetsAtRisk, newVulnerabilities, openVulnerabilities } = counts;
  if (newCriticalOnMissionCritical > 0)
    return {
      text: `${plural(newCriticalOnMissionCritical, 'new critical vulnerability', 'new critical vulnerabilities')} on mission-critical assets`,
      link: urgentLink,
    };
  if (criticalOpen > 0)
    return {
      text: `${plural(criticalOpen, 'critical vulnerability is', 'critical vulnerabilities are')} open`,
      link: overviewLinks.criticalOpen,
    };
  if (severeOnMissionCritical > 0)
    return {
      text: `${plural(severeOnMissionCritical, 'high vulnerability', 'high vulnerabilities')} on mission-critical assets`,
      link: severeLink,
    };
  if (assetsAtRisk > 0)
    return {
      text: `${plural(assetsAtRisk, 'asset is', 'assets are')} at risk`,
      link: overviewLinks.atRisk,
    };
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
 * What is most important today, the first sentence first. Each is computed from counts, and from the counts of a recorded
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
  return [
    { ...mainSentence(counts), since: null },
    { text: risk, link: null, since: earlier?.day ?? null },
  ];
}
