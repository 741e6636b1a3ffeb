import { modified, optional, scored, supplemental, type CvssMetricLabels } from './labels.ts';

/** Impact on the vulnerable system, or on subsequent systems. */
const impact = (code: string, name: string, meanings: readonly [none: string, low: string, high: string]) =>
  scored('base', code, name)(
    ['N', 'None', meanings[0]],
    ['L', 'Low', meanings[1]],
    ['H', 'High', meanings[2]],
  );

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
    ['H', 'High', 'The attacker must bypass protections such as address randomization or a secret.'],
    ['L', 'Low', 'No protection has to be bypassed; the attack can be repeated reliably.'],
  ),
  scored(
    'base',
    'AT',
    'Attack Requirements',
  )(
    ['P', 'Present', 'The system must be in a specific state, such as a race condition.'],
    ['N', 'None', 'The attack works on any deployment of the system.'],
  ),
  scored('base', 'PR', 'Privileges Required')(
    ['H', 'High', 'The attacker needs administrator privileges.'],
    ['L', 'Low', 'The attacker needs the privileges of an ordinary user.'],
    ['N', 'None', 'The attacker needs no account.'],
  ),
  scored('base', 'UI', 'User Interaction')(
    ['A', 'Active', 'A user must take a deliberate action, such as dismissing a warning.'],
    ['P', 'Passive', 'A user must use the system normally, such as visiting a page.'],
    ['N', 'None', 'No user action is needed.'],
  ),
  impact('VC', 'Vulnerable System Confidentiality', [
    'No information of the system is disclosed.',
    'Some information of the system is disclosed; the attacker cannot choose which.',
    'All information of the system, or some critical information, is disclosed.',
  ]),
  impact('VI', 'Vulnerable System Integrity', [
    'Nothing of the system can be changed.',
    'Some data of the system can be changed, without serious consequences.',
    'All data of the system, or some critical data, can be changed.',
  ]),
  impact('VA', 'Vulnerable System Availability', [
    'The system is not affected.',
    'The system slows down or is interrupted occasionally.',
    'The system can be denied to its users entirely.',
  ]),
  impact('SC', 'Subsequent System Confidentiality', [
    'No information of other systems is disclosed.',
    'Some information of other systems is disclosed.',
    'All information of other systems, or some critical information, is disclosed.',
  ]),
  impact('SI', 'Subsequent System Integrity', [
    'Nothing of other systems can be changed.',
    'Some data of other systems can be changed, without serious consequences.',
    'All data of other systems, or some critical data, can be changed.',
  ]),
  impact('SA', 'Subsequent System Availability', [
    'Other systems are not affected.',
    'Other systems slow down or are interrupted occasionally.',
    'Other systems can be denied to their users entirely.',
  ]),
];

const notDefined = (metric: CvssMetricLabels, means = 'Scored as the worst case.'): CvssMetricLabels =>
  optional(metric, ['X', 'Not Defined', means]);

const requirement = (code: string, what: string) =>
  notDefined(
    scored('environmental', code, `${what} Requirement`)(
      ['L', 'Low', `Losing ${what.toLowerCase()} here would do limited harm.`],
      ['M', 'Medium', `Losing ${what.toLowerCase()} here would do serious harm.`],
      ['H', 'High', `Losing ${what.toLowerCase()} here would be catastrophic.`],
    ),
  );

/** For subsequent systems "None" is called "Negligible", and "Safety" is a further value (section 4.2). */
function modifiedImpact(metric: CvssMetricLabels): CvssMetricLabels {
  if (!metric.code.startsWith('S')) return modified(metric);
  const [none, ...more] = metric.values;
  const negligible = none === undefined ? [] : [{ ...none, name: 'Negligible' }];
  const safety = {
    code: 'S',
    name: 'Safety',
    means: 'People could be injured more than slightly.',
    weight: 3,
  } as const;
  const values = [...negligible, ...more, ...(metric.code === 'SC' ? [] : [safety])];
  return modified({ ...metric, values });
}

const unstated = 'Not stated.';

/** Source of names and meanings: CVSS v4.0 specification, sections 2 to 5; the sentences are Riskboard's. */
export const labels4: readonly CvssMetricLabels[] = [
  ...base,
  notDefined(
    scored('threat', 'E', 'Exploit Maturity')(
      ['U', 'Unreported', 'No exploit and no attempted attack is known.'],
      ['P', 'Proof-of-Concept', 'An exploit is published; no attack that uses it is known.'],
      ['A', 'Attacked', 'Attacks are reported, or tools make them easy.'],
    ),
  ),
  requirement('CR', 'Confidentiality'),
  requirement('IR', 'Integrity'),
  requirement('AR', 'Availability'),
  ...base.map(modifiedImpact),
  supplemental('S', 'Safety')(
    ['X', 'Not Defined', unstated],
    ['N', 'Negligible', 'People could be injured slightly at worst.'],
    ['P', 'Present', 'People could be injured more than slightly.'],
  ),
  supplemental('AU', 'Automatable')(
    ['X', 'Not Defined', unstated],
    ['N', 'No', 'Attacks on many targets cannot be automated end to end.'],
    ['Y', 'Yes', 'Attacks on many targets can be automated end to end.'],
  ),
  supplemental('R', 'Recovery')(
    ['X', 'Not Defined', unstated],
    ['A', 'Automatic', 'The system recovers by itself.'],
    ['U', 'User', 'A user must restore the system.'],
    ['I', 'Irrecoverable', 'The system cannot be restored.'],
  ),
  supplemental('V', 'Value Density')(
    ['X', 'Not Defined', unstated],
    ['D', 'Diffuse', 'One attack gains control of few resources.'],
    ['C', 'Concentrated', 'One attack gains control of many resources.'],
  ),
  supplemental('RE', 'Vulnerability Response Effort')(
    ['X', 'Not Defined', unstated],
    ['L', 'Low', 'Responding takes little effort.'],
    ['M', 'Moderate', 'Responding takes some effort and may affect the service slightly.'],
    ['H', 'High', 'Responding takes much effort, or requires downtime.'],
  ),
  supplemental('U', 'Provider Urgency')(
    ['X', 'Not Defined', unstated],
    ['Clear', 'Clear', 'The provider rates it as informational.'],
    ['Green', 'Green', 'The provider rates its urgency as reduced.'],
    ['Amber', 'Amber', 'The provider rates its urgency as moderate.'],
    ['Red', 'Red', 'The provider rates its urgency as highest.'],
  ),
];
