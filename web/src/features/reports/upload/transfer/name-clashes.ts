import type { Upload } from './upload.ts';
import { keyOf } from './upload-rows.ts';

/** Ids of the chosen files whose name is taken (by `nameKey`), also by an earlier one of them. */
export function clashesOf(chosen: readonly Upload[], taken: Iterable<string>): Set<number> {
  const existing = new Set(taken);
  const clashing = new Set<number>();
  for (const upload of chosen) {
    if (existing.has(keyOf(upload))) clashing.add(upload.id);
    existing.add(keyOf(upload));
  }
  return clashing;
}
