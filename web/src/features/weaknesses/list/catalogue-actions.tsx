import { type Catalogue, cwe } from '@riskboard/contract';
import { formatCount } from '@riskboard/domain';
import { RefreshCw, Upload } from 'lucide-react';
import { useRef } from 'react';
import { useJob } from '../../../lib/jobs/job-store.ts';
import { percentOf, stageOf } from '../../../lib/jobs/job-labels.ts';
import { useRefusal } from '../../../lib/session/use-refusal.ts';
import { ButtonWithReason } from '../../../ui/button/button-with-reason.tsx';
import { Button } from '../../../ui/button/button.tsx';
import { ProgressBar } from '../../../ui/feedback/progress-bar.tsx';
import { Select } from '../../../ui/input/select.tsx';
import { useChoose, useRefresh, useUpload } from './use-catalogue.ts';

/** How an owner changes the catalogue: another version, a refresh from MITRE, an upload. */
export function CatalogueActions({ catalogue }: { catalogue: Catalogue }) {
  const input = useRef<HTMLInputElement>(null);
  const refusal = useRefusal(cwe.refresh.access);
  const refresh = useRefresh();
  const upload = useUpload();
  const { choose, isPending } = useChoose();
  const job = useJob(refresh.jobId);
  const off = catalogue.canRefresh ? undefined : 'This instance does not request catalogues from MITRE.';
  const stage = job && stageOf(job);
  const percent = job ? percentOf(job) : null;
  return (
    <>
      <div className="flex flex-wrap items-center gap-2">
        {catalogue.versions.length > 1 && (
          <Select
            label="Version of the catalogue"
            hideLabel
            size="sm"
            items={catalogue.versions.map(({ version }) => ({ value: version, label: `CWE ${version}` }))}
            value={catalogue.version}
            disabled={isPending}
            disabledReason={refusal}
            onChange={(version) => version !== catalogue.version && choose(version)}
          />
        )}
        <ButtonWithReason
          icon={<RefreshCw aria-hidden size={14} />}
          busy={refresh.isBusy}
          disabledReason={refusal ?? off}
          onClick={refresh.start}
        >
          Refresh from MITRE
        </ButtonWithReason>
        <ButtonWithReason
          icon={<Upload aria-hidden size={14} />}
          busy={upload.sent !== null}
          disabledReason={refusal}
          onClick={() => input.current?.click()}
        >
          Upload catalogue
        </ButtonWithReason>
        <input
          ref={input}
          type="file"
          accept=".xml,.json,.zip"
          aria-label="Catalogue file"
          className="hidden"
          onChange={({ target }) => {
            const file = target.files?.[0];
            target.value = '';
            if (file) void upload.upload(file);
          }}
        />
      </div>
      {stage !== undefined && (
        <div className="flex basis-full flex-col gap-1 text-sm text-muted">
          {stage}
          <ProgressBar label={stage} value={percent === null ? null : percent / 100} />
        </div>
      )}
      {upload.sent !== null && (
        <div className="flex basis-full items-center gap-3 text-sm text-muted">
          <span className="whitespace-nowrap tabular-nums">
            {upload.sent < 1
              ? `Uploading ${formatCount(Math.floor(upload.sent * 100))}%`
              : 'Reading the catalogue'}
          </span>
          <ProgressBar label="Uploading the catalogue" value={upload.sent < 1 ? upload.sent : null} />
          <Button size="sm" onClick={upload.cancel}>
            Cancel
          </Button>
        </div>
      )}
    </>
  );
}
