import { useStore } from '../../../lib/browser/store.ts';
import { reports, type ExtractKind } from '@riskboard/contract';
import { plural } from '@riskboard/domain';
import { useMemo, useState } from 'react';
import { useRefusal } from '../../../lib/session/use-refusal.ts';
import { ButtonWithReason } from '../../../ui/button/button-with-reason.tsx';
import { Button } from '../../../ui/button/button.tsx';
import { Checkbox } from '../../../ui/input/checkbox.tsx';
import { Notice } from '../../../ui/feedback/notice.tsx';
import { Dialog } from '../../../ui/dialog/dialog.tsx';
import { totalsOf } from './transfer/upload.ts';
import { OverwriteQuestion } from './overwrite-question.tsx';
import { UploadDropZone } from './upload-drop-zone.tsx';
import { UploadList } from './upload-list.tsx';
import { BatchLink } from './batch-link.tsx';
import { UploadPreview } from './upload-preview.tsx';
import { connectionText, UploadProgress } from './upload-progress.tsx';
import { continuedBatch, uploadDialog } from './upload-dialog-state.ts';
import { uploads as manager, useUploads } from './transfer/upload-store.ts';
import { useFilesToSend } from './use-files-to-send.ts';

const extractions = [
  { kind: 'vulnerabilities', label: 'Vulnerabilities' },
  { kind: 'threats', label: 'Threats' },
] as const satisfies readonly { kind: ExtractKind; label: string }[];

/** 'Upload STIX/TAXII Report' (spec 2, Upload dialogs). Uploads continue when it closes. */
export function UploadDialog() {
  const open = useStore(uploadDialog);
  const continued = useStore(continuedBatch);
  const { uploads, checking, isConnectionLost } = useUploads();
  const [kinds, setKinds] = useState<readonly ExtractKind[]>(['vulnerabilities', 'threats']);
  const totals = useMemo(() => totalsOf(uploads), [uploads]);
  const chosen = useMemo(() => uploads.filter(({ state }) => state === 'chosen'), [uploads]);
  const refusal = useRefusal(reports.upload.access);
  const sent = useFilesToSend(chosen, continued?._id);
  const ended = uploads.length - totals.open - totals.chosen;

  return (
    <Dialog
      open={open}
      onOpenChange={uploadDialog.set}
      title="Upload STIX/TAXII Report"
      width={600}
      footer={
        <>
          {ended > 0 && (
            <Button variant="ghost" onClick={manager.clearEnded}>
              {ended === totals.refused ? 'Remove not accepted' : 'Clear finished'}
            </Button>
          )}
          {totals.retryable > 1 && (
            <ButtonWithReason disabledReason={refusal} onClick={manager.retryAll}>
              Retry {plural(totals.retryable, 'file')}
            </ButtonWithReason>
          )}
          {totals.open > 0 && <Button onClick={manager.cancelAll}>Cancel all</Button>}
          <ButtonWithReason
            variant="primary"
            busy={checking}
            disabled={totals.chosen === 0}
            disabledReason={refusal}
            onClick={() => void manager.start(kinds, continued?._id)}
          >
            {sent.length === 0 ? 'Upload' : `Upload ${plural(sent.length, 'file')}`}
          </ButtonWithReason>
        </>
      }
    >
      <div className="flex flex-col gap-4">
        {refusal !== undefined && <Notice tone="warning">{refusal}</Notice>}
        {continued !== undefined && (
          <Notice>
            Files are added to the batch <bdi className="font-medium">{continued.name}</bdi>. Those that it
            has received are not sent again.
          </Notice>
        )}
        <BatchLink uploads={uploads} />
        <UploadDropZone onFiles={manager.add} compact={uploads.length > 0} />
        <UploadPreview chosen={chosen} sent={sent} />
        {uploads.length > 0 && <UploadList uploads={uploads} />}
        {isConnectionLost && (
          <Notice>
            {connectionText}: {plural(totals.open, 'file is', 'files are')} sent when it is back.
          </Notice>
        )}
        <UploadProgress totals={totals} />
        <fieldset className="flex flex-wrap items-center gap-x-5 gap-y-1">
          <legend className="float-left mr-1 text-sm font-medium">Extract after upload</legend>
          {extractions.map(({ kind, label }) => (
            <Checkbox
              key={kind}
              label={label}
              checked={kinds.includes(kind)}
              onChange={(checked) =>
                setKinds(checked ? [...kinds, kind] : kinds.filter((other) => other !== kind))
              }
            />
          ))}
        </fieldset>
        {/* Nested, so that a click in the question does not count as a click outside this dialog. */}
        <OverwriteQuestion />
      </div>
    </Dialog>
  );
}
