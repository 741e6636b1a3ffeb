import type { CwssFactor, ImpactLayer, TechnicalImpact } from '@riskboard/domain';

interface SampleCell {
  impact: TechnicalImpact;
  layer: ImpactLayer;
  /** 0-10. */
  subscore: number;
  notes: string;
}

const cell = (impact: TechnicalImpact, layer: ImpactLayer, subscore: number, notes: string): SampleCell => ({
  impact,
  layer,
  subscore,
  notes,
});

/** How bad each technical impact is for the logistics company of the demo organization. */
export const sampleVignette = {
  name: 'Freight and terminal operations',
  scorecardName: 'Terminal scorecard 2025',
  origin: 'Demo organization',
  domain: 'Transport and logistics',
  maturity: 'in use',
  description:
    'A company that moves containers through its own terminal: booking on the web, customs declarations, yard and crane control, and the office network that connects them.',
  archetypes: ['Web application', 'Database', 'Industrial control system', 'Remote access gateway'],
  businessValueContext:
    'A stopped terminal costs about $40,000 an hour and blocks ships. Customs data must be right by law. Leaked freight lists attract thieves, but stop nothing.',
  notes: 'Rated by operations, customs and IT together. Reviewed each January.',
  references: [],
  scorecard: [
    cell(
      'Modify data',
      'Application',
      9,
      'Changed bookings or declarations send containers to the wrong ship.',
    ),
    cell('Modify data', 'System', 7, 'A changed server must be installed again before it can be trusted.'),
    cell('Modify data', 'Enterprise', 8, 'Changed directory data opens every other system.'),
    cell('Read data', 'Application', 6, 'Freight lists tell thieves which container to open.'),
    cell('Read data', 'System', 5, 'Configuration and keys of one server.'),
    cell('DoS: unreliable execution', 'System', 8, 'Gate and crane control restart by hand.'),
    cell('DoS: unreliable execution', 'Application', 6.5, 'The booking site is slow or wrong for an hour.'),
    cell('DoS: resource consumption', 'Network', 5, 'Trucks wait at the gate until the line is free.'),
    cell('DoS: resource consumption', 'System', 4, 'One server of several is busy.'),
    cell(
      'Execute unauthorized code or commands',
      'System',
      10,
      'The start of ransomware: the terminal stops for days.',
    ),
    cell(
      'Execute unauthorized code or commands',
      'Application',
      9,
      'Code in the booking site reaches its database.',
    ),
    cell(
      'Gain privileges / assume identity',
      'Enterprise',
      9,
      'An administrator of the directory is one of everything.',
    ),
    cell(
      'Gain privileges / assume identity',
      'Application',
      7.5,
      'Another company is booked on our account.',
    ),
    cell(
      'Bypass protection mechanism',
      'Network',
      8,
      'The remote access gateway is the only access to the yard network.',
    ),
    cell('Bypass protection mechanism', 'Application', 6, 'A customer sees the data of another one.'),
    cell('Hide activities', 'System', 3, 'Logs are copied to another server within a minute.'),
  ],
};

interface SampleFactor {
  /** Identifier of the vulnerability. */
  cveId: string;
  factor: CwssFactor;
  value: string;
  reason: string;
}

/** Factors that the analysts of the demo organization set. */
export const sampleFactors: readonly SampleFactor[] = [
  {
    cveId: 'CVE-2021-44228',
    factor: 'EC',
    value: 'M',
    reason: 'The proxy in front of the booking site blocks lookups in headers; forms are not filtered.',
  },
  {
    cveId: 'CVE-2021-44228',
    factor: 'SC',
    value: 'M',
    reason: 'Two of three booking servers run the affected version.',
  },
  {
    cveId: 'CVE-2019-0708',
    factor: 'AV',
    value: 'V',
    reason: 'Remote Desktop answers only inside the yard network.',
  },
  {
    cveId: 'CVE-2023-34362',
    factor: 'FC',
    value: 'LT',
    reason: 'Proven on the test system; the live one was patched before the test.',
  },
];
