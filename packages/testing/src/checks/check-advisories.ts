import { audit, verdictOf } from './advisories.ts';

/** A step of CI (ASVS 5.0, 15.2.1): fails when a package has an advisory that is high or critical. */
const result = await audit();
const verdict = verdictOf(result);
process.stdout.write(`${result.output}\n`);
if (verdict === 'unknown')
  process.stdout.write('Advisories were not checked: the registry did not answer.\n');
process.exitCode = verdict === 'vulnerable' ? 1 : 0;
