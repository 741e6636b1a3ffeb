import { FileUp } from 'lucide-react';
import { useRef, useState, type DragEvent } from 'react';
import { Button } from '../../../ui/button/button.tsx';
import { droppedFiles } from './dropped-files.ts';
import { readSizes } from './transfer/file-size.ts';
import { acceptedExtensions } from './transfer/upload.ts';

/** More files than this are added after their sizes were read in slices. */
const manyFiles = 100;

interface UploadDropZoneProps {
  onFiles: (files: File[]) => void;
  /** Smaller layout once files are in the list. */
  compact: boolean;
}

/** Accepts files and folders by drop, or files by the button (WCAG 2.5.7: no dragging needed). */
export function UploadDropZone({ onFiles, compact }: UploadDropZoneProps) {
  const input = useRef<HTMLInputElement>(null);
  const [over, setOver] = useState(false);

  async function add(files: File[]) {
    if (files.length > manyFiles) await readSizes(files);
    onFiles(files);
  }

  async function drop(event: DragEvent) {
    event.preventDefault();
    setOver(false);
    await add(await droppedFiles(event.dataTransfer));
  }

  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- dropping; the button inside does the same
    <section
      aria-label="Choose reports"
      onDragOver={(event) => {
        event.preventDefault();
        setOver(true);
      }}
      onDragLeave={() => setOver(false)}
      onDrop={(event) => void drop(event)}
      className={`flex flex-wrap items-center justify-center gap-x-4 gap-y-2 rounded border border-dashed px-4 text-center transition-colors ${
        compact ? 'py-3' : 'flex-col py-10'
      } ${over ? 'border-accent bg-accent-soft' : 'border-line-strong bg-sunken'}`}
    >
      <FileUp aria-hidden size={compact ? 16 : 24} className="text-muted" />
      <div>
        <p className="text-base font-medium">Drop files or folders here</p>
        <p className="text-sm text-muted">STIX or TAXII, {acceptedExtensions.join(' or ')}</p>
      </div>
      <Button size={compact ? 'sm' : 'md'} onClick={() => input.current?.click()}>
        Choose files
      </Button>
      <input
        ref={input}
        type="file"
        multiple
        accept={acceptedExtensions.join(',')}
        aria-label="Report files"
        tabIndex={-1}
        className="sr-only"
        onChange={(event) => {
          void add([...(event.target.files ?? [])]);
          // Allows choosing the same file again after it was removed from the list.
          event.target.value = '';
        }}
      />
    </section>
  );
}
