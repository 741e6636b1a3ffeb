import { reportName, formatCount } from '@riskboard/domain';
import { invalidField, Failure } from '../../lib/http/failure.ts';

/** Accepted endings (spec 5, Uploads). */
const endings = ['.json', '.xml'] as const;
const longest = 255;

/**
 * The name that an upload is stored under, at most 255 characters.
 * @throws Failure 422 without a name, 415 for an ending that is not accepted.
 */
export function cleanFileName(sent: string | undefined): string {
  const name = reportName(sent ?? '');
  if (name === '') throw invalidField('stixFile', 'The file needs a name.');
  if (name.length > longest)
    throw invalidField('stixFile', `The file name is longer than ${formatCount(longest)} characters.`);
  if (!endings.some((ending) => name.toLowerCase().endsWith(ending))) {
    throw new Failure(
      'wrong_type',
      `Only ${endings.join(' and ')} files are accepted; this one is named ${name}.`,
    );
  }
  return name;
}
