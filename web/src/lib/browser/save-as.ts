import { toast } from '../../ui/feedback/toast.ts';
import { messageOf } from '../api/errors.ts';

/** Lets the browser download an address of this origin. */
export function saveFrom(address: string, name: string): void {
  const link = document.createElement('a');
  link.href = address;
  link.download = name;
  document.body.append(link);
  link.click();
  link.remove();
}

/** Hands a file made here to the browser's downloads. */
export function saveAs(name: string, content: Blob): void {
  const address = URL.createObjectURL(content);
  saveFrom(address, name);
  // The download has taken its own hold of the content once the click is through.
  setTimeout(() => URL.revokeObjectURL(address), 0);
}

/** Characters that no file system takes in a name. */
const unsafe = /[\s\\/:*?"<>|\p{Cc}]+/gu;
/** What would hide the file. */
const hiding = /^[.\s]+/u;

/** UTF-16 units; with the suffix below what file systems take. */
const longestName = 120;

/** Name of a record's download: what it is called, with a .json suffix (spec 7). */
export function recordFileName(name: string): string {
  // Cut between characters, never through one.
  const safe = name
    .replaceAll(unsafe, ' ')
    .replace(hiding, '')
    .slice(0, longestName)
    .replace(/[\uD800-\uDBFF]$/u, '')
    .trim();
  return `${safe === '' ? 'record' : safe}.json`;
}

/** Hands a record to the browser's downloads as pretty-printed JSON (spec 7), and says so (spec 8). */
export async function downloadRecord(load: () => Promise<{ name: string }>): Promise<void> {
  try {
    const record = await load();
    const content = JSON.stringify(record, null, 2);
    saveAs(recordFileName(record.name), new Blob([content], { type: 'application/json' }));
    toast.success('Download started');
  } catch (error) {
    toast.error('Download failed', messageOf(error, 'Please try again.'));
  }
}
