import {
  positionIn,
  readVignette,
  readVignetteText,
  type Vignette,
  type VignetteProblem,
} from '@riskboard/domain';
import { Failure, invalidField } from '../lib/http/failure.ts';

/** Field of the upload, which problems of the whole file name. */
export const vignetteField = 'vignetteFile';

const decode = (bytes: Buffer, stream = false): string =>
  new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes, { stream });

const isDecodable = (bytes: Buffer): boolean => {
  try {
    decode(bytes, true);
    return true;
  } catch {
    return false;
  }
};

/** The text before the first byte that is not UTF-8. */
function textBeforeFault(bytes: Buffer): string {
  let [valid, invalid] = [0, bytes.length + 1];
  while (invalid - valid > 1) {
    const middle = (valid + invalid) >> 1;
    if (isDecodable(bytes.subarray(0, middle))) valid = middle;
    else invalid = middle;
  }
  return decode(bytes.subarray(0, valid), true);
}

/** @throws Failure 422 naming line and column */
function textOf(bytes: Buffer): string {
  try {
    return decode(bytes);
  } catch {
    const before = textBeforeFault(bytes);
    const { line, column } = positionIn(before, before.length);
    throw invalidField(
      vignetteField,
      `The file is not UTF-8 text (line ${line}, column ${column}). Save it as UTF-8.`,
    );
  }
}

/** 422 for problems of a vignette, each with its path in the file. */
function refuse(problems: readonly VignetteProblem[]): Failure {
  const details = problems.map(({ path, message }) => ({ path: path || vignetteField, message }));
  const more = details.length > 1 ? ` (and ${details.length - 1} more)` : '';
  return new Failure('invalid', `${details[0]?.message}${more}`, { details });
}

/** Reads the bytes of an uploaded vignette. @throws Failure 422 naming line and column, or the path of each field */
export function readVignetteFile(bytes: Buffer): { vignette: Vignette; warnings: readonly string[] } {
  const read = readVignetteText(textOf(bytes));
  if (!read.ok) throw refuse(read.problems);
  return read;
}

/**
 * Reads the body of a request, which its schema has checked.
 * @throws Failure 422 for a cell that is rated twice, and a name without visible characters
 */
export function readVignetteBody(body: object): Vignette {
  const read = readVignette(body);
  if (read.ok) return read.vignette;
  throw refuse(
    read.problems.map(({ path, message }) => ({ path: path.replaceAll(/\[(\d+)\]/gu, '.$1'), message })),
  );
}
