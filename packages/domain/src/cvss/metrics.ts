/** The metrics of one CVSS version, in the order of its specification. */
export interface CvssMetrics {
  /** Start of a vector; empty in CVSS v2. */
  readonly prefix: string;
  /** How many of the leading metrics must be present. */
  readonly mandatory: number;
  readonly metrics: ReadonlyMap<string, ReadonlySet<string>>;
}

const metric = (line: string): [string, ReadonlySet<string>] => {
  const [code = '', values = ''] = line.split(' ');
  return [code, new Set(values.split(','))];
};

const table = (prefix: string, mandatory: number, lines: readonly string[]): CvssMetrics => ({
  prefix,
  mandatory,
  metrics: new Map(lines.map(metric)),
});

/** Source: "A Complete Guide to the Common Vulnerability Scoring System Version 2.0", 2.4 table 13. */
const version2 = [
  'AV L,A,N',
  'AC H,M,L',
  'Au M,S,N',
  'C N,P,C',
  'I N,P,C',
  'A N,P,C',
  'E U,POC,F,H,ND',
  'RL OF,TF,W,U,ND',
  'RC UC,UR,C,ND',
  'CDP N,L,LM,MH,H,ND',
  'TD N,L,M,H,ND',
  'CR L,M,H,ND',
  'IR L,M,H,ND',
  'AR L,M,H,ND',
] as const;

/** Source: CVSS v3.1 specification, section 6 table 15; v3.0 has the same metrics and values. */
const version3 = [
  'AV N,A,L,P',
  'AC L,H',
  'PR N,L,H',
  'UI N,R',
  'S U,C',
  'C N,L,H',
  'I N,L,H',
  'A N,L,H',
  'E X,U,P,F,H',
  'RL X,O,T,W,U',
  'RC X,U,R,C',
  'CR X,L,M,H',
  'IR X,L,M,H',
  'AR X,L,M,H',
  'MAV X,N,A,L,P',
  'MAC X,L,H',
  'MPR X,N,L,H',
  'MUI X,N,R',
  'MS X,U,C',
  'MC X,N,L,H',
  'MI X,N,L,H',
  'MA X,N,L,H',
] as const;

/** Source: CVSS v4.0 specification, section 7 table 23. */
const version4 = [
  'AV N,A,L,P',
  'AC L,H',
  'AT N,P',
  'PR N,L,H',
  'UI N,P,A',
  'VC H,L,N',
  'VI H,L,N',
  'VA H,L,N',
  'SC H,L,N',
  'SI H,L,N',
  'SA H,L,N',
  'E X,A,P,U',
  'CR X,H,M,L',
  'IR X,H,M,L',
  'AR X,H,M,L',
  'MAV X,N,A,L,P',
  'MAC X,L,H',
  'MAT X,N,P',
  'MPR X,N,L,H',
  'MUI X,N,P,A',
  'MVC X,H,L,N',
  'MVI X,H,L,N',
  'MVA X,H,L,N',
  'MSC X,H,L,N',
  'MSI X,S,H,L,N',
  'MSA X,S,H,L,N',
  'S X,N,P',
  'AU X,N,Y',
  'R X,A,U,I',
  'V X,D,C',
  'RE X,L,M,H',
  'U X,Clear,Green,Amber,Red',
] as const;

export const cvssVersions = {
  '2.0': table('', 6, version2),
  '3.0': table('CVSS:3.0/', 8, version3),
  '3.1': table('CVSS:3.1/', 8, version3),
  '4.0': table('CVSS:4.0/', 11, version4),
} as const satisfies Record<string, CvssMetrics>;

export type CvssVersion = keyof typeof cvssVersions;
