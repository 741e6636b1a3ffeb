import { modified, optional, scored, told, type CvssMetricWords } from './cvss-words.ts';

/** Impact on the vulnerable system and, beside it, on the systems behind it. */
const impact = (code: string, name: string, words: readonly [none: string, low: string, high: string]) =>
  scored('base', code, name)(['N', 'None', words[0]], ['L', 'Low', words[1]], ['H', 'High', words[2]]);

const base: readonly CvssMetricWords[] = [
  scored('base', 'AV', 'Attack Vector')(
    ['P', 'Physical', 'The attacker must touch the device.'],
    ['L', 'Local', 'The attacker needs access to the system itself, or a user who opens something.'],
    ['A', 'Adjacent', 'The attacker must be on the same or a neighbouring network.'],
    ['N', 'Network', 'The attack works from afar, over the internet too.'],
  ),
  scored(
    'base',
    'AC',
    'Attack Complexity',
  )(
    ['H', 'High', 'The attacker must get around protections such as address randomization or a secret.'],
    ['L', 'Low', 'No protection has to be got around; it works whenever it is tried.'],
  ),
  scored(
    'base',
    'AT',
    'Attack Requirements',
  )(
    ['P', 'Present', 'The system must be in a certain state, such as a race won or a traffic path taken.'],
    ['N', 'None', 'It works in any state the system is deployed in.'],
  ),
  scored('base', 'PR', 'Privileges Required')(
    ['H', 'High', 'The attacker needs the rights of an administrator.'],
    ['L', 'Low', 'The attacker needs the rights of an ordinary user.'],
    ['N', 'None', 'The attacker needs no account.'],
  ),
  scored('base', 'UI', 'User Interaction')(
    ['A', 'Active', 'Somebody must do something deliberate, such as dismiss a warning.'],
    ['P', 'Passive', 'Somebody must use the system as usual, such as visit a page.'],
    ['N', 'None', 'Nobody has to do anything.'],
  ),
  impact('VC', 'Vulnerable System Confidentiality', [
    'No information of the system is disclosed.',
    'Some information of the system is disclosed, not of the attacker’s choosing.',
    'All information of the system, or some that matters greatly, is disclosed.',
  ]),
  impact('VI', 'Vulnerable System Integrity', [
    'Nothing of the system can be changed.',
    'Some data of the system can be changed, without grave consequence.',
    'Any data of the system, or some that matters greatly, can be changed.',
  ]),
  impact('VA', 'Vulnerable System Availability', [
    'The system goes on undisturbed.',
    'The system slows down or is interrupted at times.',
    'The system can be denied to its users entirely.',
  ]),
  impact('SC', 'Subsequent System Confidentiality', [
    'No information of other systems is disclosed.',
    'Some information of other systems is disclosed.',
    'All information of other systems, or some that matters greatly, is disclosed.',
  ]),
  impact('SI', 'Subsequent System Integrity', [
    'Nothing of other systems can be changed.',
    'Some data of other systems can be changed, without grave consequence.',
    'Any data of other systems, or some that matters greatly, can be changed.',
  ]),
  impact('SA', 'Subsequent System Availability', [
    'Other systems go on undisturbed.',
    'Other systems slow down or are interrupted at times.',
    'Other systems can be denied to their users entirely.',
  ]),
];

const notDefined = (metric: CvssMetricWords, means = 'Scored as the worst case.'): CvssMetricWords =>
  optional(metric, ['X', 'Not Defined', means]);

const requirement = (code: string, what: string) =>
  notDefined(
    scored('environmental', code, `${what} Requirement`)(
      ['L', 'Low', `Losing ${what.toLowerCase()} here would do limited harm.`],
      ['M', 'Medium', `Losing ${what.toLowerCase()} here would do serious harm.`],
      ['H', 'High', `Losing ${what.toLowerCase()} here would be a catastrophe.`],
    ),
  );

/** Of other systems the environment says "negligible" for none, and knows harm to people (section 4.2). */
function modifiedImpact(metric: CvssMetricWords): CvssMetricWords {
  if (!metric.code.startsWith('S')) return modified(metric);
  const [none, ...more] = metric.values;
  const negligible = none === undefined ? [] : [{ ...none, name: 'Negligible' }];
  const safety = {
    code: 'S',
    name: 'Safety',
    means: 'People may be hurt, beyond slight injuries.',
    weight: 3,
  } as const;
  const values = [...negligible, ...more, ...(metric.code === 'SC' ? [] : [safety])];
  return modified({ ...metric, values });
}

const unsaid = 'Nothing is said about it.';

/** Source of names and meanings: CVSS v4.0 specification, sections 2 to 5; the sentences are ours. */
export const words4: readonly CvssMetricWords[] = [
  ...base,
  notDefined(
    scored('threat', 'E', 'Exploit Maturity')(
      ['U', 'Unreported', 'Neither an exploit nor an attempt to attack is known.'],
      ['P', 'Proof-of-Concept', 'An exploit is published; no attack with it is known.'],
      ['A', 'Attacked', 'Attacks were reported, or tools make them easy.'],
    ),
  ),
  requirement('CR', 'Confidentiality'),
  requirement('IR', 'Integrity'),
  requirement('AR', 'Availability'),
  ...base.map(modifiedImpact),
  told('S', 'Safety')(
    ['X', 'Not Defined', unsaid],
    ['N', 'Negligible', 'At worst people are slightly hurt.'],
    ['P', 'Present', 'People may be hurt, beyond slight injuries.'],
  ),
  told('AU', 'Automatable')(
    ['X', 'Not Defined', unsaid],
    ['N', 'No', 'Attacks on many targets cannot be automated end to end.'],
    ['Y', 'Yes', 'Attacks on many targets can be automated end to end.'],
  ),
  told('R', 'Recovery')(
    ['X', 'Not Defined', unsaid],
    ['A', 'Automatic', 'The system recovers by itself.'],
    ['U', 'User', 'Somebody must bring the system back.'],
    ['I', 'Irrecoverable', 'The system cannot be brought back.'],
  ),
  told('V', 'Value Density')(
    ['X', 'Not Defined', unsaid],
    ['D', 'Diffuse', 'One attack gains control of little.'],
    ['C', 'Concentrated', 'One attack gains control of much.'],
  ),
  told('RE', 'Vulnerability Response Effort')(
    ['X', 'Not Defined', unsaid],
    ['L', 'Low', 'Responding takes little effort.'],
    ['M', 'Moderate', 'Responding takes some effort and may disturb the service a little.'],
    ['H', 'High', 'Responding takes much effort, or must wait for an outage.'],
  ),
  told('U', 'Provider Urgency')(
    ['X', 'Not Defined', unsaid],
    ['Clear', 'Clear', 'The provider calls it informational.'],
    ['Green', 'Green', 'The provider calls it of reduced urgency.'],
    ['Amber', 'Amber', 'The provider calls it of moderate urgency.'],
    ['Red', 'Red', 'The provider calls it of the highest urgency.'],
  ),
];
