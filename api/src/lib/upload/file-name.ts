import { reportName, formatCount } from '@riskboard/domain';
import { Failure, invalidField } from '../http/failure.ts';
import type { UploadedFile } from './store-upload.ts';

/** Characters of the name of an upload. */
export const longestName = 255;

/**
 * The name that an upload is stored under, at most 255 characters.
 * @throws Failure 422 without a name, 415 for an ending that is not accepted.
 */
export function cleanFileName({ field, part }: UploadedFile, endings: readonly string[]): string {
  const name = reportName(part.filename ?? '');
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
