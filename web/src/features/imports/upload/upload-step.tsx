import {
  entities,
  importableFields,
  importKeys,
  importLimits,
  imports,
  type CsvImport,
  type ImportNoun,
} from '@riskboard/contract';
import { formatCount } from '@riskboard/domain';
import { Download, FileUp, RotateCw } from 'lucide-react';
import { useEffect, useEffectEvent, useRef, useState, type DragEvent } from 'react';
import { addressOf } from '../../../lib/api/call.ts';
import { useStore } from '../../../lib/browser/store.ts';
import { formatSize } from '../../../lib/format/format.ts';
import { useLeaveGuard } from '../../../lib/hooks/use-leave-guard.ts';
import { useRefusal } from '../../../lib/session/use-refusal.ts';
import { ApiLink } from '../../../ui/button/api-link.tsx';
import { ButtonWithReason } from '../../../ui/button/button-with-reason.tsx';
import { Button } from '../../../ui/button/button.tsx';
import { Notice } from '../../../ui/feedback/notice.tsx';
import { ProgressBar } from '../../../ui/feedback/progress-bar.tsx';
import { Card } from '../../../ui/layout/card.tsx';
import { fieldLabel } from '../columns/plan.ts';
import { csvToUpload } from './csv-drop-state.ts';
import { FieldsCard } from './fields-card.tsx';
import { useCsvUpload, type CsvUpload } from './use-csv-upload.ts';

interface UploadStepProps {
  noun: ImportNoun;
  onStored: (csv: CsvImport) => void;
}

/** First step: the file, the template, and what can be imported. */
export function UploadStep({ noun, onStored }: UploadStepProps) {
  const refusal = useRefusal(imports.upload.access);
  const { upload, start, cancel } = useCsvUpload(noun, onStored);
  const isSending = upload !== undefined && upload.reason === undefined;
  useLeaveGuard(isSending);

  const waiting = useStore(csvToUpload);
  const take = useEffectEvent((file: File) => {
    csvToUpload.set(null);
    if (refusal === undefined) start(file);
  });
  useEffect(() => {
    if (waiting !== null) take(waiting);
  }, [waiting]);

  return (
    <div className="grid items-start gap-4 xl:grid-cols-[minmax(0,3fr)_minmax(0,2fr)]">
      <Card
        title="File"
        actions={
          <ApiLink
            href={addressOf(imports.template, { query: { noun } })}
            download={`${noun}-template.csv`}
            size="sm"
            icon={<Download aria-hidden size={14} />}
          >
            Download template
          </ApiLink>
        }
      >
        <div className="flex flex-col gap-4 p-4">
          {refusal !== undefined && <Notice>{refusal} You can see earlier imports below.</Notice>}
          {isSending ? (
            <Sending upload={upload} onCancel={cancel} />
          ) : (
            <DropZone onFile={start} refusal={refusal} />
          )}
          {upload?.reason !== undefined && (
            <Refused upload={upload} reason={upload.reason} onRetry={() => start(upload.file)} />
          )}
          <Rules noun={noun} />
        </div>
      </Card>
      <FieldsCard noun={noun} />
    </div>
  );
}

function Sending({ upload: { file, sent }, onCancel }: { upload: CsvUpload; onCancel: () => void }) {
  const isStoring = sent >= file.size;
  return (
    <section
      aria-label="Upload"
      className="flex flex-col gap-3 rounded border border-line bg-sunken px-4 py-6"
    >
      <div className="flex items-center justify-between gap-3">
        <span className="min-w-0 truncate font-medium" title={file.name}>
          {file.name}
        </span>
        <Button size="sm" onClick={onCancel}>
          Cancel
        </Button>
      </div>
      <ProgressBar label={`Upload of ${file.name}`} value={isStoring ? null : sent / file.size} />
      <p className="text-sm text-muted tabular-nums">
        {isStoring
          ? 'Reading the columns'
          : `${formatSize(sent)} of ${formatSize(file.size)} · ${Math.floor((sent / file.size) * 100)}%`}
      </p>
    </section>
  );
}

interface RefusedProps {
  upload: CsvUpload;
  reason: string;
  onRetry: () => void;
}

function Refused({ upload: { file, canRetry }, reason, onRetry }: RefusedProps) {
  return (
    <div
      role="alert"
      className="flex flex-wrap items-start justify-between gap-3 rounded bg-danger-soft px-3 py-2 text-sm text-danger"
    >
      <p className="min-w-0 wrap-anywhere">
        <span className="font-medium">{file.name}</span>: {reason}
      </p>
      {canRetry === true && (
        <Button size="sm" icon={<RotateCw aria-hidden size={14} />} onClick={onRetry}>
          Retry
        </Button>
      )}
    </div>
  );
}

interface DropZoneProps {
  onFile: (file: File) => void;
  refusal: string | undefined;
}

/** Accepts one file by drop, or by the button (WCAG 2.5.7: no dragging needed). */
function DropZone({ onFile, refusal }: DropZoneProps) {
  const input = useRef<HTMLInputElement>(null);
  const [over, setOver] = useState(false);
  const [isMany, setIsMany] = useState(false);

  function choose(files: readonly File[]): void {
    const [file] = files;
    setIsMany(files.length > 1);
    if (file !== undefined && files.length === 1 && refusal === undefined) onFile(file);
  }

  function drop(event: DragEvent): void {
    event.preventDefault();
    setOver(false);
    choose([...event.dataTransfer.files]);
  }

  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- dropping; the button inside does the same
    <section
      aria-label="Choose a CSV file"
      onDragOver={(event) => {
        event.preventDefault();
        setOver(refusal === undefined);
      }}
      onDragLeave={() => setOver(false)}
      onDrop={drop}
      className={`flex flex-col items-center gap-3 rounded border border-dashed px-4 py-10 text-center transition-colors ${
        over ? 'border-accent bg-accent-soft' : 'border-line-strong bg-sunken'
      }`}
    >
      <FileUp aria-hidden size={24} className="text-muted" />
      <div>
        <p className="text-base font-medium">Drop a CSV file here</p>
        <p className="text-sm text-muted">The first row names the columns.</p>
      </div>
      <ButtonWithReason variant="primary" disabledReason={refusal} onClick={() => input.current?.click()}>
        Choose file
      </ButtonWithReason>
      <input
        ref={input}
        type="file"
        accept=".csv,text/csv"
        aria-label="CSV file"
        tabIndex={-1}
        disabled={refusal !== undefined}
        className="sr-only"
        onChange={(event) => {
          choose([...(event.target.files ?? [])]);
          // Allows choosing the same file again after it was corrected.
          event.target.value = '';
        }}
      />
      {isMany && (
        <p role="alert" className="text-sm text-danger">
          Choose one file at a time.
        </p>
      )}
    </section>
  );
}

/** How rows are matched with existing records. */
function Rules({ noun }: { noun: ImportNoun }) {
  const { one, many } = entities[noun];
  const keys = importKeys[noun].map((key) => fieldLabel(noun, key)).join(' or ');
  const clearable = importableFields(noun).some(({ clearable: isClearable }) => isClearable);
  return (
    <ul className="flex list-disc flex-col gap-1 pl-5 text-sm text-muted">
      <li>
        A row updates the {one} with the same {keys}; you choose which. Other rows create {many}.
      </li>
      {noun === 'assets' && (
        <li>
          Each asset belongs to a project that exists: that of its column, or one that you choose for all
          rows. You can create one there.
        </li>
      )}
      <li>Columns are matched with fields automatically, and you can change every match.</li>
      {clearable && (
        <li>
          On an update, an empty cell clears an optional field. To leave a field as it is, do not import its
          column.
        </li>
      )}
      <li>Nothing is written before you have seen a preview and a dry run, and an import can be undone.</li>
      <li>
        Up to {formatCount(importLimits.rows)} rows and {importLimits.columns} columns, encoded as UTF-8 or
        UTF-16.
      </li>
    </ul>
  );
}
