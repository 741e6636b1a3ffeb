import { vignettes } from '@riskboard/contract';
import { plural } from '@riskboard/domain';
import { useQuery } from '@tanstack/react-query';
import { CircleAlert } from 'lucide-react';
import { useState } from 'react';
import { useRefusal } from '../../../lib/session/use-refusal.ts';
import { ButtonWithReason } from '../../../ui/button/button-with-reason.tsx';
import { Button } from '../../../ui/button/button.tsx';
import { Dialog } from '../../../ui/dialog/dialog.tsx';
import { Notice } from '../../../ui/feedback/notice.tsx';
import { ProgressBar } from '../../../ui/feedback/progress-bar.tsx';
import { sameNameQuery } from '../queries.ts';
import { staleText } from '../use-vignette-actions.ts';
import { useVignetteUpload } from './use-vignette-upload.ts';
import { fileProblem, readVignetteFile } from './vignette-file.ts';
import { VignetteDropZone } from './vignette-drop-zone.tsx';

interface VignetteUploadDialogProps {
  /** File that opened the dialog. */
  dropped: File | null;
  onClose: () => void;
}

/** 'Upload CWRAF Vignette' (spec 2, Upload dialogs): one JSON file. */
export function VignetteUploadDialog({ dropped, onClose }: VignetteUploadDialogProps) {
  const [file, setFile] = useState(dropped);
  const [refused, setRefused] = useState<string | undefined>(
    dropped === null ? undefined : fileProblem(dropped),
  );
  const { state, send, open, reset } = useVignetteUpload(onClose);
  const refusal = useRefusal(vignettes.upload.access);
  const busy = state.step === 'sending';

  function choose(files: readonly File[]): void {
    const [chosen] = files;
    if (chosen === undefined || busy) return;
    const problem = files.length > 1 ? 'Choose one file.' : fileProblem(chosen);
    setRefused(problem);
    setFile(problem === undefined ? chosen : null);
    reset();
  }

  const ready = file !== null && refused === undefined;
  return (
    <Dialog
      open
      onOpenChange={(next) => !next && onClose()}
      title="Upload CWRAF Vignette"
      width={560}
      footer={
        state.step === 'stored' ? (
          <>
            <Button onClick={onClose}>Close</Button>
            <Button variant="primary" onClick={() => open(state.reply._id)}>
              View vignette
            </Button>
          </>
        ) : (
          <>
            <Button onClick={onClose}>Cancel</Button>
            <ButtonWithReason
              variant="primary"
              busy={busy}
              disabled={!ready}
              disabledReason={refusal}
              onClick={() => file !== null && void send(file)}
            >
              Upload
            </ButtonWithReason>
          </>
        )
      }
    >
      <div className="flex flex-col gap-4">
        {state.step === 'stored' ? (
          <Warnings warnings={state.reply.warnings} name={state.reply.name} />
        ) : (
          <>
            <VignetteDropZone file={ready ? file : null} refused={refused} busy={busy} onFiles={choose} />
            {state.step === 'sending' && <ProgressBar label="Upload of the vignette" value={state.sent} />}
            {state.step === 'failed' && <Problems {...state} />}
            {ready && state.step === 'choosing' && <Found file={file} />}
          </>
        )}
      </div>
    </Dialog>
  );
}

/** What the chosen file holds, and whether it replaces a vignette. */
function Found({ file }: { file: File }) {
  const { data: found } = useQuery({
    // Not below 'vignettes': an event would read the file again.
    queryKey: ['vignette-file', file.name, file.size, file.lastModified],
    queryFn: async () => (await readVignetteFile(file)) ?? null,
    gcTime: 0,
  });
  const { data: existing } = useQuery({
    ...sameNameQuery(found?.name ?? ''),
    enabled: found !== undefined && found !== null,
  });
  if (found === undefined || found === null) return null;
  return (
    <div className="flex flex-col gap-2" aria-live="polite">
      <p className="text-sm wrap-anywhere">
        <span className="font-medium">{found.name}</span>{' '}
        <span className="text-muted tabular-nums">{plural(found.ratedCells, 'rated cell')}</span>
      </p>
      {existing !== undefined && existing !== null && (
        <Notice>
          A vignette with this name exists. If its content differs, the file becomes version{' '}
          {existing.version + 1}
          {existing.vulnerabilities === 0 ? '.' : `; ${staleText(existing.vulnerabilities)}`}
        </Notice>
      )}
    </div>
  );
}

/** What is wrong, after where; the server's message may begin with the path itself. */
function ProblemText({ path, message }: ProblemsProps['problems'][number]) {
  if (path === '') return message;
  return (
    <>
      <code className="font-mono text-xs">{path}</code>{' '}
      {message.startsWith(path) ? message.slice(path.length).trimStart() : message}
    </>
  );
}

/** Problems that are listed; the rest is counted. */
const mostProblems = 8;

interface ProblemsProps {
  message: string;
  problems: readonly { readonly path: string; readonly message: string }[];
}

/** Why the server refused the file, and what is wrong where in it. */
function Problems({ message, problems }: ProblemsProps) {
  const rest = problems.length - mostProblems;
  return (
    <section
      role="alert"
      aria-label="Problems of the file"
      className="rounded border border-danger bg-danger-soft px-4 py-3 text-sm text-danger"
    >
      <p className="flex items-start gap-2 font-medium wrap-anywhere">
        <CircleAlert aria-hidden size={16} className="mt-0.5 shrink-0" />
        {problems.length === 0 ? message : `${plural(problems.length, 'problem')} in the file`}
      </p>
      {problems.length > 0 && (
        <ul className="mt-2 flex flex-col gap-1 pl-6">
          {problems.slice(0, mostProblems).map((problem) => (
            <li key={`${problem.path} ${problem.message}`} className="wrap-anywhere">
              <ProblemText {...problem} />
            </li>
          ))}
          {rest > 0 && <li>and {plural(rest, 'more problem')}</li>}
        </ul>
      )}
    </section>
  );
}

interface WarningsProps {
  name: string;
  warnings: readonly string[];
}

/** What was ignored or replaced while the file was read. */
function Warnings({ name, warnings }: WarningsProps) {
  return (
    <>
      <p className="wrap-anywhere">
        <span className="font-medium">{name}</span> was stored.
      </p>
      <Notice tone="warning">
        <p className="font-medium">{plural(warnings.length, 'warning')}</p>
        <ul className="mt-1 flex list-disc flex-col gap-1 pl-4">
          {warnings.map((warning) => (
            <li key={warning} className="wrap-anywhere">
              {warning}
            </li>
          ))}
        </ul>
      </Notice>
    </>
  );
}
