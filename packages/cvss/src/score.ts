import {
  cvssMetricGroups,
  cvssSeverityOf,
  readCvssDraft,
  type CvssGroup,
  type CvssSeverity,
  type CvssVector,
  type CvssVersion,
} from '@riskboard/domain';
import calculator from 'ae-cvss-calculator';
import { cvssBaseScore } from './base-score.ts';
import { environmental2, temporal2 } from './score-2.ts';

const { Cvss2, Cvss3P0, Cvss3P1, Cvss4P0 } = calculator;

export interface CvssScores {
  version: CvssVersion;
  /** The most specific score: environmental, else temporal or threat, else base; 0.0 to 10.0. */
  score: number;
  severity: CvssSeverity;
  /** Canonical. */
  vector: string;
  /** Each 0.0 to 10.0; `base` always, the others when the vector defines a metric of theirs. */
  parts: Record<string, number>;
}

type Parts = Record<string, number | undefined>;

/** Groups with a metric that the vector defines. */
function statedGroups({ version, vector }: CvssVector): ReadonlySet<CvssGroup> {
  const { values } = readCvssDraft(vector, version);
  const stated = cvssMetricGroups(version).filter(({ metrics }) =>
    metrics.some(({ code }) => !['X', 'ND', undefined].includes(values.get(code))),
  );
  return new Set(stated.map(({ group }) => group));
}

function parts2(vector: CvssVector): Parts {
  const stated = statedGroups(vector);
  const { values } = readCvssDraft(vector.vector, '2.0');
  const base = cvssBaseScore(vector);
  const { impact, exploitability } = new Cvss2(vector.vector).calculateScores();
  const temporal = stated.has('temporal') ? temporal2(values, base) : undefined;
  const environmental = stated.has('environmental') ? environmental2(values) : undefined;
  return {
    overall: environmental ?? temporal ?? base,
    base,
    impact,
    exploitability,
    temporal,
    environmental,
  };
}

const parts3 =
  (scorer: typeof Cvss3P0 | typeof Cvss3P1) =>
  (vector: CvssVector): Parts => {
    const { base, impact, exploitability, temporal, environmental, modifiedImpact, overall } = new scorer(
      vector.vector,
    ).calculateScores();
    return { overall, base, impact, exploitability, temporal, environmental, modifiedImpact };
  };

function parts4({ vector }: CvssVector): Parts {
  const { baseMetricsOnly: base, threat, environmental, overall } = new Cvss4P0(vector).calculateScores();
  return { overall, base, threat, environmental };
}

const partsOf = {
  '2.0': parts2,
  '3.0': parts3(Cvss3P0),
  '3.1': parts3(Cvss3P1),
  '4.0': parts4,
} as const satisfies Record<CvssVersion, (vector: CvssVector) => Parts>;

/**
 * All scores of a valid vector.
 *
 * @throws Error when the library returns no score for a valid vector
 */
export function scoreCvss(checked: CvssVector): CvssScores {
  const { version, vector } = checked;
  const { overall, ...parts } = partsOf[version](checked);
  if (overall === undefined || !Number.isFinite(overall)) throw new Error(`No CVSS score for ${vector}`);
  const known = Object.entries(parts).flatMap(([name, part]) =>
    part === undefined ? [] : [[name, Math.round(part * 10) / 10] as const],
  );
  const score = Math.round(overall * 10) / 10;
  return {
    version,
    score,
    severity: cvssSeverityOf(version, score),
    vector,
    parts: Object.fromEntries(known),
  };
}
