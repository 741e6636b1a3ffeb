import { toast } from '../../ui/feedback/toast.ts';
import { messageOf } from '../api/errors.ts';
import { renewExpired } from '../session/account.ts';

/** Lets the browser download an address of the API, and shows a toast. @param detail what is downloaded */
export async function downloadFrom(address: string, name: string, detail?: string): Promise<void> {
  try {
    await renewExpired();
    saveFrom(address, name);
    toast.success('Download started', detail);
  } catch (error) {
    toast.error('Download failed', messageOf(error, 'Please try again.'));
  }
}

/** Lets the browser download an address of this origin. */
function saveFrom(address: string, name: string): void {
  const link = document.createElement('a');
  link.href = address;
  link.download = name;
  document.body.append(link);
  link.click();
  link.remove();
}

/** Saves a file made in the browser as a download. */
export function saveAs(name: string, content: Blob): void {
  const address = URL.createObjectURL(content);
  saveFrom(address, name);
  // The browser has its own reference to the content after the click.
  setTimeout(() => URL.revokeObjectURL(address), 0);
}

/** Characters that file systems do not accept in a name. */
const unsafe = /[\s\\/:*?"<>|\p{Cc}]+/gu;
/** Leading dots would hide the file. */
const hiding = /^[.\s]+/u;

/** UTF-16 units; with the suffix below the limit of file systems. */
const longestName = 120;

/** File name of a record's download: its name with a .json suffix (spec 7). */
export function recordFileName(name: string): string {
  // Cuts between characters, never inside a surrogate pair.
  const safe = name
    .replaceAll(unsafe, ' ')
    .replace(hiding, '')
    .slice(0, longestName)
    .replace(/[\uD800-\uDBFF]$/u, '')
    .trim();
  return `${safe === '' ? 'record' : safe}.json`;
}

/** Downloads a record as pretty-printed JSON (spec 7) and shows a toast (spec 8). */
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
