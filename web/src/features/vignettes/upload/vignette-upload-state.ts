import { createOwnedStore } from '../../../lib/session/page-owner.ts';

interface Opened {
  /** A new number with each opening, so that the dialog starts over. */
  readonly id: number;
  /** File that was dropped on the page; null: none is chosen yet. */
  readonly file: File | null;
}

/** The open upload dialog of vignettes; null while it is closed. */
export const vignetteUpload = createOwnedStore<Opened | null>(null);

let opened = 0;

export function openVignetteUpload(file: File | null = null): void {
  opened += 1;
  vignetteUpload.set({ id: opened, file });
}
