import { modified, optional, scored, type CvssMetricLabels } from './labels.ts';

const base: readonly CvssMetricLabels[] = [
  scored('base', 'AV', 'Attack Vector')(
    ['P', 'Physical', 'The attacker needs physical access to the device.'],
    ['L', 'Local', 'The attacker needs local access, or a user who opens a file.'],
    ['A', 'Adjacent', 'The attacker must be on the same or a neighboring network.'],
    ['N', 'Network', 'Exploitable remotely, including over the internet.'],
  ),
  scored(
    'base',
    'AC',
    'Attack Complexity',
  )(
    ['H', 'High', 'Success depends on conditions the attacker does not control.'],
    ['L', 'Low', 'The attack can be repeated reliably.'],
  ),
  scored('base', 'PR', 'Privileges Required')(
    ['H', 'High', 'The attacker needs administrator privileges.'],
    ['L', 'Low', 'The attacker needs the privileges of an ordinary user.'],
    ['N', 'None', 'The attacker needs no account.'],
  ),
  scored(
    'base',
    'UI',
    'User Interaction',
  )(
    ['R', 'Required', 'A user must take an action, such as opening a file.'],
    ['N', 'None', 'No user action is needed.'],
  ),
  scored(
    'base',
    'S',
    'Scope',
  )(
    ['U', 'Unchanged', 'Impact is limited to the vulnerable component.'],
    ['C', 'Changed', 'Impact extends beyond the vulnerable component.'],
  ),
  scored('base', 'C', 'Confidentiality')(
    ['N', 'None', 'No information is disclosed.'],
    ['L', 'Low', 'Some information is disclosed; the attacker cannot choose which.'],
    ['H', 'High', 'All information, or some critical information, is disclosed.'],
  ),
  scored('base', 'I', 'Integrity')(
    ['N', 'None', 'Nothing can be changed.'],
    ['L', 'Low', 'Some data can be changed, without serious consequences.'],
    ['H', 'High', 'All data, or some critical data, can be changed.'],
  ),
  scored('base', 'A', 'Availability')(
    ['N', 'None', 'The service is not affected.'],
    ['L', 'Low', 'The service slows down or is interrupted occasionally.'],
    ['H', 'High', 'The service can be denied entirely.'],
  ),
];

const notDefined = (metric: CvssMetricLabels): CvssMetricLabels =>
  optional(metric, ['X', 'Not Defined', 'Left out of the score.']);

const requirement = (code: string, what: string) =>
  notDefined(
    scored('environmental', code, `${what} Requirement`)(
      ['L', 'Low', `Losing ${what.toLowerCase()} here would do limited harm.`],
      ['M', 'Medium', `Losing ${what.toLowerCase()} here would do serious harm.`],
      ['H', 'High', `Losing ${what.toLowerCase()} here would be catastrophic.`],
    ),
  );

/** Source of names and meanings: CVSS v3.1 specification, sections 2 to 4 (3.0 has the same); the sentences are Riskboard's. */
export const labels3: readonly CvssMetricLabels[] = [
  ...base,
  notDefined(
    scored('temporal', 'E', 'Exploit Code Maturity')(
      ['U', 'Unproven', 'No exploit is known; the attack is theoretical.'],
      ['P', 'Proof-of-Concept', 'Demonstration code exists but needs changes before it can be used.'],
      ['F', 'Functional', 'Code exists that works most of the time.'],
      ['H', 'High', 'Working or autonomous code exists, or no code is needed.'],
    ),
  ),
  notDefined(
    scored('temporal', 'RL', 'Remediation Level')(
      ['O', 'Official Fix', 'The vendor has published a complete fix.'],
      ['T', 'Temporary Fix', 'The vendor has published a temporary fix.'],
      ['W', 'Workaround', 'A workaround exists that is not from the vendor.'],
      ['U', 'Unavailable', 'No solution exists, or it cannot be applied.'],
    ),
  ),
  notDefined(
    scored('temporal', 'RC', 'Report Confidence')(
      ['U', 'Unknown', 'Symptoms are reported; the cause is unknown.'],
      ['R', 'Reasonable', 'Significant details are published but not fully confirmed.'],
      ['C', 'Confirmed', 'Reproduced, or acknowledged by the vendor.'],
    ),
  ),
  requirement('CR', 'Confidentiality'),
  requirement('IR', 'Integrity'),
  requirement('AR', 'Availability'),
  ...base.map(modified),
];
