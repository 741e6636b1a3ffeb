import { addNote } from '../missing.ts';
import { audit, verdictOf } from './advisories.ts';

/**
 * A step of CI (ASVS 5.0, 15.2.1): fails when a package has an advisory that is high or critical. When nothing was
 * checked it passes and adds a closing note, because the output of a step that passes is not printed.
 */
const result = await audit();
const verdict = verdictOf(result);
process.stdout.write(`${result.output}\n`);
if (verdict === 'unknown')
  addNote('Advisories of dependencies were not checked: the registry did not answer.');
process.exitCode = verdict === 'vulnerable' ? 1 : 0;
