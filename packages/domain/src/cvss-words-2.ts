import { optional, scored, type CvssMetricWords } from './cvss-words.ts';

const impact = (code: string, name: string, part: string, all: string) =>
  scored('base', code, name)(
    ['N', 'None', `${name.replace(' Impact', '')} is not touched.`],
    ['P', 'Partial', part],
    ['C', 'Complete', all],
  );

const notDefined = (metric: CvssMetricWords): CvssMetricWords =>
  optional(metric, ['ND', 'Not Defined', 'Left out of the score.']);

const requirement = (code: string, what: string) =>
  notDefined(
    scored('environmental', code, `${what} Requirement`)(
      ['L', 'Low', `Losing ${what.toLowerCase()} here would do little harm.`],
      ['M', 'Medium', `Losing ${what.toLowerCase()} here would do serious harm.`],
      ['H', 'High', `Losing ${what.toLowerCase()} here would be a catastrophe.`],
    ),
  );

/** Source of names and meanings: the guide to CVSS v2.0, sections 2.1 to 2.3; the sentences are ours. */
export const words2: readonly CvssMetricWords[] = [
  scored('base', 'AV', 'Access Vector')(
    ['L', 'Local', 'The attacker needs the device itself or an account on it.'],
    ['A', 'Adjacent Network', 'The attacker must be on the same local network.'],
    ['N', 'Network', 'The attack works from anywhere on the network.'],
  ),
  scored('base', 'AC', 'Access Complexity')(
    ['H', 'High', 'Rare conditions must hold for an attack to work.'],
    ['M', 'Medium', 'Some conditions must hold for an attack to work.'],
    ['L', 'Low', 'Nothing special is needed; the attack works as a rule.'],
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
      ['U', 'Unproven', 'No exploit is known; an attack is theory.'],
      ['POC', 'Proof-of-Concept', 'Code exists that shows the attack but needs work to be used.'],
      ['F', 'Functional', 'Code exists that works most of the time.'],
      ['H', 'High', 'Code works every time or spreads by itself, or none is needed.'],
    ),
  ),
  notDefined(
    scored('temporal', 'RL', 'Remediation Level')(
      ['OF', 'Official Fix', 'The vendor has published a full solution.'],
      ['TF', 'Temporary Fix', 'The vendor has published a fix for the time being.'],
      ['W', 'Workaround', 'Others than the vendor have a way around it.'],
      ['U', 'Unavailable', 'There is no solution, or it cannot be applied.'],
    ),
  ),
  notDefined(
    scored('temporal', 'RC', 'Report Confidence')(
      ['UC', 'Unconfirmed', 'One source says so, or sources contradict each other.'],
      ['UR', 'Uncorroborated', 'Several sources say so without proof from the vendor.'],
      ['C', 'Confirmed', 'The vendor acknowledges it, or others have reproduced it.'],
    ),
  ),
  notDefined(
    scored('environmental', 'CDP', 'Collateral Damage Potential')(
      ['N', 'None', 'No loss of life, property or revenue is to be feared.'],
      ['L', 'Low', 'Slight damage or loss is possible.'],
      ['LM', 'Low-Medium', 'Moderate damage or loss is possible.'],
      ['MH', 'Medium-High', 'Significant damage or loss is possible.'],
      ['H', 'High', 'Catastrophic damage or loss is possible.'],
    ),
  ),
  notDefined(
    scored('environmental', 'TD', 'Target Distribution')(
      ['N', 'None', 'No such system is here, or only in a laboratory.'],
      ['L', 'Low', 'Up to a quarter of the environment is at risk.'],
      ['M', 'Medium', 'A quarter to three quarters of the environment are at risk.'],
      ['H', 'High', 'More than three quarters of the environment are at risk.'],
    ),
  ),
  requirement('CR', 'Confidentiality'),
  requirement('IR', 'Integrity'),
  requirement('AR', 'Availability'),
];
