import type { CsvImport, ImportNoun } from '@riskboard/contract';
import { useEffect, useRef, useState } from 'react';
import { messageOf } from '../../../lib/api/errors.ts';
import { retryHelps } from '../../../lib/api/send-file.ts';
import { csvRefusal, sendCsv } from './send-csv.ts';

/** The upload of one file. */
export interface CsvUpload {
  readonly file: File;
  /** Bytes sent, 0 to `file.size`. */
  readonly sent: number;
  /** Why the file was refused; undefined while it is sent. */
  readonly reason?: string;
  readonly canRetry?: boolean;
}

/** Sends a chosen file at once; another file replaces it. */
export function useCsvUpload(noun: ImportNoun, onStored: (csv: CsvImport) => void) {
  const [upload, setUpload] = useState<CsvUpload>();
  const running = useRef<AbortController>(undefined);
  useEffect(() => () => running.current?.abort(), []);

  async function start(file: File): Promise<void> {
    running.current?.abort();
    const reason = csvRefusal(file);
    if (reason !== undefined) return setUpload({ file, sent: 0, reason });
    const abort = new AbortController();
    running.current = abort;
    setUpload({ file, sent: 0 });
    try {
      const csv = await sendCsv(file, {
        noun,
        signal: abort.signal,
        onSent: (bytes) => running.current === abort && setUpload({ file, sent: Math.min(bytes, file.size) }),
      });
      if (!abort.signal.aborted) onStored(csv);
    } catch (error) {
      if (abort.signal.aborted) return;
      setUpload({
        file,
        sent: 0,
        reason: messageOf(error, 'The file could not be uploaded. Please try again.'),
        canRetry: retryHelps(error),
      });
    }
  }

  function cancel(): void {
    running.current?.abort();
    setUpload(undefined);
  }

  return { upload, start: (file: File) => void start(file), cancel };
}
