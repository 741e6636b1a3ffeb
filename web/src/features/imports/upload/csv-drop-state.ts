import { createStore } from '../../../lib/browser/store.ts';

/** A CSV file that was dropped on a page; the question asks what it holds. */
export const droppedCsv = createStore<File | null>(null);

/** A dropped CSV file that the page of the import uploads when it opens. */
export const csvToUpload = createStore<File | null>(null);
