import { nameKey } from './upload.ts';

/** What an upload of a report accepts (spec 5, Uploads). */
export const acceptedExtensions = ['.json', '.xml'] as const;

export interface Known {
  /** Keys of the names that are in the list already. */
  readonly names: ReadonlySet<string>;
  /** Bytes of the smallest file that the server answered with 413; Infinity until it did. */
  readonly tooLargeFrom: number;
  /** What the server said about it. */
  readonly tooLargeReason: string;
}

/** Why a file cannot be uploaded, known before a byte is sent; null when nothing speaks against it. */
export function refusalOf(file: Pick<File, 'name' | 'size'>, known: Known): string | null {
  const name = nameKey(file.name);
  if (!acceptedExtensions.some((extension) => name.endsWith(extension))) {
    return 'Only .json and .xml files are accepted.';
  }
  if (file.size === 0) return 'The file is empty.';
  if (file.size >= known.tooLargeFrom) return known.tooLargeReason;
  if (known.names.has(name)) return 'A file of this name is already in the list.';
  return null;
}
