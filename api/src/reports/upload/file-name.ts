import { invalidField, Failure } from '../../lib/http/failure.ts';

/** Accepted endings (spec 5, Uploads). */
const endings = ['.json', '.xml'] as const;
const longest = 255;

/** Control and direction characters, which can disguise a name. */
// eslint-disable-next-line no-control-regex -- these are what is removed
const deceptive = /[\u0000-\u001f\u007f-\u009f\u061c\u200e\u200f\u2028\u2029\u202a-\u202e\u2066-\u2069]/gu;

/**
 * The name that an upload is kept under: no path, no control or direction characters, at most 255 characters.
 * @throws Failure 422 without a name, 415 for an ending that is not accepted.
 */
export function cleanFileName(sent: string | undefined): string {
  const name =
    (sent ?? '').toWellFormed().normalize('NFC').split(/[\\/]/u).at(-1)?.replaceAll(deceptive, '').trim() ??
    '';
  if (name === '') throw invalidField('stixFile', 'The file needs a name.');
  if (name.length > longest)
    throw invalidField('stixFile', `The file name is longer than ${longest} characters.`);
  if (!endings.some((ending) => name.toLowerCase().endsWith(ending))) {
    throw new Failure(
      'wrong_type',
      `Only ${endings.join(' and ')} files are accepted; this one is named ${name}.`,
    );
  }
  return name;
}
