import { formatCount, plural } from '../count.ts';

type RuleKind =
  | 'critical-vulnerability'
  | 'asset-at-risk'
  | 'import-failed'
  | 'score-above'
  | 'nothing-imported';
type Score = 'overall' | 'asset' | 'cwss';

/** What decides the texts of a rule's alerts. */
export interface AlertingRule {
  kind: RuleKind;
  score: Score | null;
  threshold: number | null;
  days: number | null;
}

/** What a rule found: a vulnerability, an asset, a job, or the organization itself. */
export interface AlertFinding {
  subjectId: string;
  /** Of the subject; a text of people or reports. */
  name: string;
  /** The sentence below the title, as in 'Severity 9.8.' */
  detail: string;
}

/** A vulnerability in a title: its CVE id before its name, unless the name contains the id. */
export function vulnerabilityTitle({ cveId, name }: { cveId: string; name: string }): string {
  const terms = name.toLowerCase().split(/[^\w-]+/u);
  return cveId === '' || terms.includes(cveId.toLowerCase()) ? name : `${cveId} ${name}`;
}

/** An alert before it is stored. */
export interface AlertDraft {
  severity: 'critical' | 'high' | 'medium' | 'low';
  title: string;
  description: string;
  count: number;
  /** Page with the findings. */
  link: string;
}

interface Texts {
  severity: AlertDraft['severity'];
  one(finding: AlertFinding, id: string): { title: string; link: string };
  many(count: number, id: string): { title: string; link: string };
}

/** The list of what an alert reports. @param id of the alert */
const listOf =
  (list: 'vulnerabilities' | 'assets' | 'jobs') =>
  (id: string): string =>
    `/dashboard/${list}?alert=${id}`;
const vulnerabilityList = listOf('vulnerabilities');
const assetList = listOf('assets');
const jobList = listOf('jobs');

const vulnerabilityPage = ({ subjectId }: AlertFinding): string => `/dashboard/vulnerabilities/${subjectId}`;
const assetPage = ({ subjectId }: AlertFinding): string => `/dashboard/assets/${subjectId}`;

const scoreTexts = ({ score, threshold }: AlertingRule): Texts => {
  const limit = String(threshold ?? 0);
  const table: Record<Score, Texts> = {
    overall: {
      severity: 'high',
      one: () => ({ title: `Overall risk score above ${limit}`, link: '/dashboard/overview' }),
      many: () => ({ title: `Overall risk score above ${limit}`, link: '/dashboard/overview' }),
    },
    asset: {
      severity: 'high',
      one: (finding) => ({ title: `Risk score above ${limit}: ${finding.name}`, link: assetPage(finding) }),
      many: (count, id) => ({
        title: `Risk score above ${limit}: ${plural(count, 'asset', 'assets')}`,
        link: assetList(id),
      }),
    },
    cwss: {
      severity: 'high',
      one: (finding) => ({
        title: `CWSS score above ${limit}: ${finding.name}`,
        link: vulnerabilityPage(finding),
      }),
      many: (count, id) => ({
        title: `CWSS score above ${limit}: ${plural(count, 'vulnerability', 'vulnerabilities')}`,
        link: vulnerabilityList(id),
      }),
    },
  };
  return table[score ?? 'overall'];
};

const textsOf: Record<RuleKind, (rule: AlertingRule) => Texts> = {
  'critical-vulnerability': () => ({
    severity: 'critical',
    one: (finding) => ({
      title: `New critical vulnerability: ${finding.name}`,
      link: vulnerabilityPage(finding),
    }),
    many: (count, id) => ({
      title: `${formatCount(count)} new critical vulnerabilities`,
      link: vulnerabilityList(id),
    }),
  }),
  'asset-at-risk': () => ({
    severity: 'high',
    one: (finding) => ({ title: `Asset at risk: ${finding.name}`, link: assetPage(finding) }),
    many: (count, id) => ({
      title: `${formatCount(count)} assets became at risk`,
      link: assetList(id),
    }),
  }),
  'import-failed': () => ({
    severity: 'medium',
    one: (finding, id) => ({ title: `Import failed: ${finding.name}`, link: jobList(id) }),
    many: (count, id) => ({ title: `${formatCount(count)} imports failed`, link: jobList(id) }),
  }),
  'score-above': scoreTexts,
  'nothing-imported': ({ days }) => {
    const text = {
      title: `Nothing imported for ${plural(days ?? 1, 'day', 'days')}`,
      link: '/dashboard/reports',
    };
    return { severity: 'medium', one: () => text, many: () => text };
  },
};

const longestTitle = 300;
const namesShown = 3;

const shorten = (text: string): string => {
  const characters = Array.from(text);
  return characters.length <= longestTitle ? text : `${characters.slice(0, longestTitle - 1).join('')}…`;
};

interface Drafted {
  /** Of the alert; its link may name it. */
  id: string;
  draft: AlertDraft;
  findings: readonly AlertFinding[];
}

interface Limits {
  /** Findings that become one alert each; more become one alert. */
  mostSingle: number;
  newId: () => string;
}

/**
 * The alerts for what one rule found in one evaluation: one for each finding, or one for all of them when there are more
 * than `mostSingle`.
 * @param found the findings with a known subject, and the number of further ones, which the list of the alert lacks
 */
export function draftAlerts(
  rule: AlertingRule,
  found: { findings: readonly AlertFinding[]; further: number },
  { mostSingle, newId }: Limits,
): Drafted[] {
  const { findings, further } = found;
  const { severity, one, many } = textsOf[rule.kind](rule);
  const count = findings.length + further;
  if (count === 0) return [];
  if (count > mostSingle) {
    const id = newId();
    return [{ id, draft: { severity, count, ...many(count, id), description: summaryOf(found) }, findings }];
  }
  return findings.map((finding) => {
    const id = newId();
    const { title, link } = one(finding, id);
    const draft = { severity, title: shorten(title), description: shorten(finding.detail), count: 1, link };
    return { id, draft, findings: [finding] };
  });
}

/** Some names, and how many the list of the alert shows when it lacks some. */
function summaryOf({ findings, further }: { findings: readonly AlertFinding[]; further: number }): string {
  const names = findings.slice(0, namesShown).map(({ name }) => name);
  const rest = findings.length + further - names.length;
  const listed = further === 0 ? '' : ` The list shows ${formatCount(findings.length)} of them.`;
  const more = rest > 0 ? ` and ${formatCount(rest)} more` : '';
  return names.length === 0 ? listed.trim() : `${shorten(`${names.join(', ')}${more}.`)}${listed}`;
}
