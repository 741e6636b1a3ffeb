import { optional, scored, type CvssMetricLabels } from './labels.ts';

const impact = (code: string, name: string, part: string, all: string) =>
  scored('base', code, name)(
    ['N', 'None', `${name.replace(' Impact', '')} is not affected.`],
    ['P', 'Partial', part],
    ['C', 'Complete', all],
  );

const notDefined = (metric: CvssMetricLabels): CvssMetricLabels =>
  optional(metric, ['ND', 'Not Defined', 'Left out of the score.']);

const requirement = (code: string, what: string) =>
  notDefined(
    scored('environmental', code, `${what} Requirement`)(
      ['L', 'Low', `Losing ${what.toLowerCase()} here would do little harm.`],
      ['M', 'Medium', `Losing ${what.toLowerCase()} here would do serious harm.`],
      ['H', 'High', `Losing ${what.toLowerCase()} here would be catastrophic.`],
    ),
  );

/** Source of names and meanings: the guide to CVSS v2.0, sections 2.1 to 2.3; the sentences are Riskboard's. */
export const labels2: readonly CvssMetricLabels[] = [
  scored('base', 'AV', 'Access Vector')(
    ['L', 'Local', 'The attacker needs the device itself or an account on it.'],
    ['A', 'Adjacent Network', 'The attacker must be on the same local network.'],
    ['N', 'Network', 'The attack works from anywhere on the network.'],
  ),
  scored('base', 'AC', 'Access Complexity')(
    ['H', 'High', 'Rare conditions must hold for an attack to work.'],
    ['M', 'Medium', 'Some conditions must hold for an attack to work.'],
    ['L', 'Low', 'No special conditions; the attack usually works.'],
  ),
  scored('base', 'Au', 'Authentication')(
    ['M', 'Multiple', 'The attacker must log in twice or more.'],
    ['S', 'Single', 'The attacker must log in once.'],
    ['N', 'None', 'No login is needed.'],
  ),
  impact('C', 'Confidentiality Impact', 'Some data can be read.', 'All data of the system can be read.'),
  impact('I', 'Integrity Impact', 'Some data can be changed.', 'All data of the system can be changed.'),
  impact(
    'A',
    'Availability Impact',
    'The system slows down or stops at times.',
    'The system can be shut down entirely.',
  ),
  notDefined(
    scored('temporal', 'E', 'Exploitability')(
      ['U', 'Unproven', 'No exploit is known; the attack is theoretical.'],
      ['POC', 'Proof-of-Concept', 'Demonstration code exists but needs changes before it can be used.'],
      ['F', 'Functional', 'Code exists that works most of the time.'],
      ['H', 'High', 'Working or self-spreading code exists, or no code is needed.'],
    ),
  ),
  notDefined(
    scored('temporal', 'RL', 'Remediation Level')(
      ['OF', 'Official Fix', 'The vendor has published a complete fix.'],
      ['TF', 'Temporary Fix', 'The vendor has published a temporary fix.'],
      ['W', 'Workaround', 'A workaround exists that is not from the vendor.'],
      ['U', 'Unavailable', 'No solution exists, or it cannot be applied.'],
    ),
  ),
  notDefined(
    scored('temporal', 'RC', 'Report Confidence')(
      ['UC', 'Unconfirmed', 'A single report, or reports that contradict each other.'],
      ['UR', 'Uncorroborated', 'Several unofficial reports, not confirmed by the vendor.'],
      ['C', 'Confirmed', 'Acknowledged by the vendor or reproduced by others.'],
    ),
  ),
  notDefined(
    scored('environmental', 'CDP', 'Collateral Damage Potential')(
      ['N', 'None', 'No loss of life, property or revenue is expected.'],
      ['L', 'Low', 'Slight damage or loss is possible.'],
      ['LM', 'Low-Medium', 'Moderate damage or loss is possible.'],
      ['MH', 'Medium-High', 'Significant damage or loss is possible.'],
      ['H', 'High', 'Catastrophic damage or loss is possible.'],
    ),
  ),
  notDefined(
    scored('environmental', 'TD', 'Target Distribution')(
      ['N', 'None', 'No such system exists here outside a laboratory.'],
      ['L', 'Low', 'Up to a quarter of the environment is at risk.'],
      ['M', 'Medium', 'A quarter to three quarters of the environment are at risk.'],
      ['H', 'High', 'More than three quarters of the environment are at risk.'],
    ),
  ),
  requirement('CR', 'Confidentiality'),
  requirement('IR', 'Integrity'),
  requirement('AR', 'Availability'),
];
