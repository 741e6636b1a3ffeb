import { modified, optional, scored, type CvssMetricWords } from './cvss-words.ts';

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
    ['H', 'High', 'It takes preparation or luck that the attacker does not control.'],
    ['L', 'Low', 'It works whenever it is tried.'],
  ),
  scored('base', 'PR', 'Privileges Required')(
    ['H', 'High', 'The attacker needs the rights of an administrator.'],
    ['L', 'Low', 'The attacker needs the rights of an ordinary user.'],
    ['N', 'None', 'The attacker needs no account.'],
  ),
  scored(
    'base',
    'UI',
    'User Interaction',
  )(
    ['R', 'Required', 'Somebody must do something first, such as open a file.'],
    ['N', 'None', 'Nobody has to do anything.'],
  ),
  scored(
    'base',
    'S',
    'Scope',
  )(
    ['U', 'Unchanged', 'The harm stays with what the vulnerable component governs.'],
    ['C', 'Changed', 'The harm reaches beyond what the vulnerable component governs.'],
  ),
  scored('base', 'C', 'Confidentiality')(
    ['N', 'None', 'No information is disclosed.'],
    ['L', 'Low', 'Some information is disclosed, not of the attacker’s choosing.'],
    ['H', 'High', 'All information, or some that matters greatly, is disclosed.'],
  ),
  scored('base', 'I', 'Integrity')(
    ['N', 'None', 'Nothing can be changed.'],
    ['L', 'Low', 'Some data can be changed, without grave consequence.'],
    ['H', 'High', 'Any data, or some that matters greatly, can be changed.'],
  ),
  scored('base', 'A', 'Availability')(
    ['N', 'None', 'The service goes on undisturbed.'],
    ['L', 'Low', 'The service slows down or is interrupted at times.'],
    ['H', 'High', 'The service can be denied entirely.'],
  ),
];

const notDefined = (metric: CvssMetricWords): CvssMetricWords =>
  optional(metric, ['X', 'Not Defined', 'Left out of the score.']);

const requirement = (code: string, what: string) =>
  notDefined(
    scored('environmental', code, `${what} Requirement`)(
      ['L', 'Low', `Losing ${what.toLowerCase()} here would do limited harm.`],
      ['M', 'Medium', `Losing ${what.toLowerCase()} here would do serious harm.`],
      ['H', 'High', `Losing ${what.toLowerCase()} here would be a catastrophe.`],
    ),
  );

/** Source of names and meanings: CVSS v3.1 specification, sections 2 to 4 (3.0 alike); the sentences are ours. */
export const words3: readonly CvssMetricWords[] = [
  ...base,
  notDefined(
    scored('temporal', 'E', 'Exploit Code Maturity')(
      ['U', 'Unproven', 'No exploit is known; an attack is theory.'],
      ['P', 'Proof-of-Concept', 'Code exists that shows the attack but needs work to be used.'],
      ['F', 'Functional', 'Code exists that works most of the time.'],
      ['H', 'High', 'Code works every time or runs by itself, or none is needed.'],
    ),
  ),
  notDefined(
    scored('temporal', 'RL', 'Remediation Level')(
      ['O', 'Official Fix', 'The vendor has published a full solution.'],
      ['T', 'Temporary Fix', 'The vendor has published a fix for the time being.'],
      ['W', 'Workaround', 'Others than the vendor have a way around it.'],
      ['U', 'Unavailable', 'There is no solution, or it cannot be applied.'],
    ),
  ),
  notDefined(
    scored('temporal', 'RC', 'Report Confidence')(
      ['U', 'Unknown', 'Symptoms are reported; their cause is not known.'],
      ['R', 'Reasonable', 'Much is published, but not all of it could be confirmed.'],
      ['C', 'Confirmed', 'It was reproduced, or the vendor acknowledges it.'],
    ),
  ),
  requirement('CR', 'Confidentiality'),
  requirement('IR', 'Integrity'),
  requirement('AR', 'Availability'),
  ...base.map(modified),
];
