import type { Upload } from './upload.ts';
import { keyOf } from './upload-rows.ts';

/** The files of which none follows with the same name: of several files of a name, the last one replaces the others. */
export function lastOfNames(chosen: readonly Upload[]): Upload[] {
  const last = new Map(chosen.map((upload) => [keyOf(upload), upload.id]));
  return chosen.filter((upload) => last.get(keyOf(upload)) === upload.id);
}
