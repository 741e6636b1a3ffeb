import { vignetteMaxBytes } from '@riskboard/contract';
import { readVignette } from '@riskboard/domain';
import { formatSize } from '../../../lib/format/format.ts';

/** Why a file cannot be uploaded as a vignette; undefined when it can be sent. */
export function fileProblem({ name, size }: File): string | undefined {
  if (!/\.json$/iu.test(name)) return 'Choose a .json file.';
  if (size === 0) return 'The file is empty.';
  if (size > vignetteMaxBytes) return `The file is larger than ${formatSize(vignetteMaxBytes)}.`;
  return undefined;
}

/** Name and rated cells of the vignette in a file. */
interface FoundVignette {
  readonly name: string;
  readonly ratedCells: number;
}

/** Reads a file as far as the dialog shows it. Undefined when that fails: the server says why. */
export async function readVignetteFile(file: File): Promise<FoundVignette | undefined> {
  try {
    const read = readVignette(JSON.parse(await file.text()));
    if (!read.ok) return undefined;
    return { name: read.vignette.name, ratedCells: read.vignette.scorecard.length };
  } catch {
    return undefined;
  }
}

/** Whether a dropped file is a vignette, which the upload of reports could not read. */
export const isVignetteFile = async (file: File): Promise<boolean> =>
  fileProblem(file) === undefined && (await readVignetteFile(file)) !== undefined;
