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
  one(finding: AlertFinding): { title: string; link: string };
  many(count: number): { title: string; link: string };
}

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
      many: (count) => ({
        title: `Risk score above ${limit}: ${plural(count, 'asset', 'assets')}`,
        link: `/dashboard/assets?riskScoreMin=${limit}`,
      }),
    },
    cwss: {
      severity: 'high',
      one: (finding) => ({
        title: `CWSS score above ${limit}: ${finding.name}`,
        link: vulnerabilityPage(finding),
      }),
      many: (count) => ({
        title: `CWSS score above ${limit}: ${plural(count, 'vulnerability', 'vulnerabilities')}`,
        link: `/dashboard/vulnerabilities?cwssScoreMin=${limit}`,
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
    many: (count) => ({
      title: `${formatCount(count)} new critical vulnerabilities`,
      link: '/dashboard/vulnerabilities?severity=critical&status=open',
    }),
  }),
  'asset-at-risk': () => ({
    severity: 'high',
    one: (finding) => ({ title: `Asset at risk: ${finding.name}`, link: assetPage(finding) }),
    many: (count) => ({
      title: `${formatCount(count)} assets became at risk`,
      link: '/dashboard/assets?status=at-risk',
    }),
  }),
  'import-failed': () => ({
    severity: 'medium',
    one: (finding) => ({ title: `Import failed: ${finding.name}`, link: '/dashboard/jobs?state=failed' }),
    many: (count) => ({
      title: `${formatCount(count)} imports failed`,
      link: '/dashboard/jobs?state=failed',
    }),
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

/**
 * The alerts for what one rule found in one evaluation: one for each finding, or one for all of them when there are more
 * than `mostSingle`.
 * @param found the findings with a known subject, and the number of further ones
 */
export function draftAlerts(
  rule: AlertingRule,
  found: { findings: readonly AlertFinding[]; further: number },
  mostSingle: number,
): { draft: AlertDraft; findings: readonly AlertFinding[] }[] {
  const { findings, further } = found;
  const texts = textsOf[rule.kind](rule);
  const count = findings.length + further;
  if (count === 0) return [];
  if (count > mostSingle) {
    const { title, link } = texts.many(count);
    const names = findings.slice(0, namesShown).map(({ name }) => name);
    const rest = count - names.length;
    const description =
      names.length === 0 ? '' : `${names.join(', ')}${rest > 0 ? ` and ${formatCount(rest)} more` : ''}.`;
    return [
      {
        draft: { severity: texts.severity, title, description: shorten(description), count, link },
        findings,
      },
    ];
  }
  return findings.map((finding) => {
    const { title, link } = texts.one(finding);
    return {
      draft: {
        severity: texts.severity,
        title: shorten(title),
        description: shorten(finding.detail),
        count: 1,
        link,
      },
      findings: [finding],
    };
  });
}
