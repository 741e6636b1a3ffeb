import { createOwnedStore } from '../../../lib/session/page-owner.ts';

/** A CSV file that was dropped on a page; the question asks what it holds. */
export const droppedCsv = createOwnedStore<File | null>(null);

/** A dropped CSV file that the page of the import uploads when it opens. */
export const csvToUpload = createOwnedStore<File | null>(null);
