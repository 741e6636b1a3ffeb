import { reportName, formatCount } from '@riskboard/domain';
import { Failure, invalidField } from '../http/failure.ts';
import { textProblem } from '../http/text-problem.ts';
import type { UploadedFile } from './store-upload.ts';

/** Characters of the name of an upload. */
export const longestName = 255;

/**
 * The name that an upload is stored under, at most 255 characters.
 * @throws Failure 422 without a name or with one that is not text, 415 for an ending that is not accepted.
 */
export function cleanFileName({ field, name: sent }: UploadedFile, endings: readonly string[]): string {
  const problem = textProblem(sent);
  if (problem !== undefined) throw invalidField(field, problem);
  const name = reportName(sent);
  if (name === '') throw invalidField(field, 'The file needs a name.');
  if (name.length > longestName)
    throw invalidField(field, `The file name is longer than ${formatCount(longestName)} characters.`);
  if (!endings.some((ending) => name.toLowerCase().endsWith(ending))) {
    throw new Failure(
      'wrong_type',
      `Only ${endings.join(' and ')} files are accepted; this one is named ${name}.`,
    );
  }
  return name;
}
