import { FileUp } from 'lucide-react';
import { useRef, useState } from 'react';
import { formatSize } from '../../../lib/format/format.ts';
import { Button } from '../../../ui/button/button.tsx';

interface VignetteDropZoneProps {
  /** The chosen file. */
  file: File | null;
  /** Why the last file was not accepted. */
  refused: string | undefined;
  busy: boolean;
  onFiles: (files: readonly File[]) => void;
}

/** Accepts one file by drop, or by the button (WCAG 2.5.7: no dragging needed). */
export function VignetteDropZone({ file, refused, busy, onFiles }: VignetteDropZoneProps) {
  const input = useRef<HTMLInputElement>(null);
  const [over, setOver] = useState(false);
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- dropping; the button inside does the same
    <section
      aria-label="Choose a vignette"
      onDragOver={(event) => {
        event.preventDefault();
        setOver(true);
      }}
      onDragLeave={() => setOver(false)}
      onDrop={(event) => {
        event.preventDefault();
        setOver(false);
        onFiles([...event.dataTransfer.files]);
      }}
      className={`flex flex-col items-center gap-3 rounded border border-dashed px-4 py-8 text-center transition-colors ${
        over ? 'border-accent bg-accent-soft' : 'border-line-strong bg-sunken'
      }`}
    >
      <FileUp aria-hidden size={24} className="text-muted" />
      {file === null ? (
        <div>
          <p className="text-base font-medium">Drop a vignette here</p>
          <p className="text-sm text-muted">One .json file</p>
        </div>
      ) : (
        <p className="max-w-full text-sm">
          <span className="font-medium wrap-anywhere">{file.name}</span>{' '}
          <span className="whitespace-nowrap text-muted tabular-nums">{formatSize(file.size)}</span>
        </p>
      )}
      <Button size="sm" disabled={busy} onClick={() => input.current?.click()}>
        {file === null ? 'Choose file' : 'Choose another file'}
      </Button>
      {refused !== undefined && (
        <p role="alert" className="text-sm text-danger">
          {refused}
        </p>
      )}
      <input
        ref={input}
        type="file"
        accept=".json"
        aria-label="Vignette file"
        tabIndex={-1}
        className="sr-only"
        onChange={(event) => {
          onFiles([...(event.target.files ?? [])]);
          // Allows choosing the same file again after it was corrected.
          event.target.value = '';
        }}
      />
    </section>
  );
}
