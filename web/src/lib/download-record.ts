import { toast } from '../ui/toast.ts';
import { messageOf } from './message-of.ts';
import { saveAs } from './save-as.ts';

/** Characters that no file system takes in a name, and what would hide the file. */
const unsafe = /[\\/:*?"<>|\p{Cc}]+|^\.+/gu;

/** Name of a record's download: what it is called, with a .json suffix (spec 7). */
export function recordFileName(name: string): string {
  const safe = [...name.replaceAll(unsafe, ' ').trim()].slice(0, 120).join('').trim();
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
