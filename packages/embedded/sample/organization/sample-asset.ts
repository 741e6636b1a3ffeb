/** An invented asset. Other assets, vulnerabilities and threats are named as in the sample report. */
export interface SampleAsset {
  name: string;
  description: string;
  /** 1 Hardware, 2 Software, 3 Network, 4 Data, 5 Personnel, 6 Service. */
  type: 1 | 2 | 3 | 4 | 5 | 6;
  /** Criticality (1-5), confidentiality (1-5), integrity (1-4), availability (1-4). */
  levels: readonly [criticality: number, confidentiality: number, integrity: number, availability: number];
  /** Replacement and recovery in USD. */
  costs: readonly [replacement: number, recovery: number];
  /** Names of assets. */
  dependsOn?: readonly string[];
  /** CVE ids; the name of a vulnerability without one. */
  vulnerabilities?: readonly string[];
  /** Names. */
  threats?: readonly string[];
}

/** An invented project with its assets. */
export interface SampleProject {
  name: string;
  description: string;
  objective: string;
  status: 'active' | 'completed' | 'on-hold';
  /** YYYY-MM-DD. */
  startDate: string;
  /** YYYY-MM-DD. */
  plannedEndDate: string;
  assets: readonly SampleAsset[];
}
