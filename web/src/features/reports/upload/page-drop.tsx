import { FileUp } from 'lucide-react';
import { useEffect, useState } from 'react';
import { hasFiles } from '../../../lib/browser/file-drop.ts';
import { useStore } from '../../../lib/browser/store.ts';
import { droppedFiles } from './dropped-files.ts';
import { uploadDialog } from './upload-dialog-state.ts';
import { readSizes } from './transfer/file-size.ts';
import { isCsv } from './transfer/upload.ts';
import { uploads } from './transfer/upload-store.ts';

/** Milliseconds without a `dragover`, which browsers repeat, after which the files have left the page. */
const leftAfter = 250;

export interface PageDropProps {
  /** Called with a CSV file that was dropped alone: it is no report. */
  onCsv: (file: File) => void;
  /** Called with another file that was dropped alone. @returns whether it was a vignette and no report */
  onVignette: (file: File) => Promise<boolean>;
}

/** Opens the upload dialog with files that are dropped anywhere on a page, or the import of a CSV file. */
export function PageDrop({ onCsv, onVignette }: PageDropProps) {
  const [over, setOver] = useState(false);
  const dialogOpen = useStore(uploadDialog);

  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    function leave(): void {
      clearTimeout(timer);
      setOver(false);
    }
    function onDragOver(event: DragEvent): void {
      // A drop zone has handled it.
      if (event.defaultPrevented || !hasFiles(event)) return;
      event.preventDefault();
      setOver(true);
      clearTimeout(timer);
      timer = setTimeout(leave, leftAfter);
    }
    function onDrop(event: DragEvent): void {
      leave();
      if (event.defaultPrevented || event.dataTransfer === null || !hasFiles(event)) return;
      event.preventDefault();
      void receive(event.dataTransfer);
    }
    async function receive(transfer: DataTransfer): Promise<void> {
      const files = await droppedFiles(transfer);
      const [file] = files;
      if (files.length === 1 && file !== undefined && isCsv(file)) return onCsv(file);
      if (files.length === 1 && file !== undefined && (await onVignette(file).catch(() => false))) return;
      uploadDialog.set(true);
      await readSizes(files);
      uploads.add(files);
    }
    document.addEventListener('dragover', onDragOver);
    document.addEventListener('drop', onDrop);
    return () => {
      leave();
      document.removeEventListener('dragover', onDragOver);
      document.removeEventListener('drop', onDrop);
    };
  }, [onCsv, onVignette]);

  if (!over || dialogOpen) return null;
  return (
    <div
      aria-hidden
      className="pointer-events-none fixed inset-3 z-50 flex items-center justify-center gap-3 rounded border-2 border-dashed border-accent bg-accent-soft/90 text-lg font-medium text-accent-text"
    >
      <FileUp size={24} />
      Drop to upload reports or import a CSV file
    </div>
  );
}
