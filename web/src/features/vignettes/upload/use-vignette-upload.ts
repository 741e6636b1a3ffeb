import { useNavigate } from '@tanstack/react-router';
import { useEffect, useRef, useState } from 'react';
import { SendFailure } from '../../../lib/api/send-file.ts';
import { toast } from '../../../ui/feedback/toast.ts';
import { useVignetteActions } from '../use-vignette-actions.ts';
import { sendVignette, type StoredVignette } from './send-vignette.ts';

interface Problem {
  readonly path: string;
  readonly message: string;
}

type UploadState =
  | { readonly step: 'choosing' }
  | { readonly step: 'sending'; readonly sent: number }
  | { readonly step: 'failed'; readonly message: string; readonly problems: readonly Problem[] }
  | { readonly step: 'stored'; readonly reply: StoredVignette };

const failure = 'Failed to upload vignette';

const choosing: UploadState = { step: 'choosing' };

/** Sends one vignette and shows the outcome in a toast (spec 8). */
export function useVignetteUpload(onClose: () => void) {
  const [state, setState] = useState<UploadState>(choosing);
  const sending = useRef<AbortController>(undefined);
  const navigate = useNavigate();
  const { refresh } = useVignetteActions();
  // The dialog may close while the file is sent.
  useEffect(() => () => sending.current?.abort(), []);

  function open(id: string): void {
    onClose();
    void navigate({ to: '/dashboard/reports/vignettes/$id', params: { id } });
  }

  function showStored(reply: StoredVignette): void {
    const title = reply.action === 'created' ? 'Vignette created' : 'Vignette replaced';
    toast.success(title, `ID ${reply._id} · ${reply.scorecardName}`, {
      action: { label: 'View', onClick: () => open(reply._id) },
    });
    void refresh();
    // The dialog stays for what was ignored in the file.
    if (reply.warnings.length > 0) setState({ step: 'stored', reply });
    else onClose();
  }

  function showFailure(error: unknown): void {
    const message = error instanceof Error && error.message !== '' ? error.message : 'Please try again.';
    toast.error(failure, message, { id: failure });
    setState({ step: 'failed', message, problems: error instanceof SendFailure ? error.details : [] });
  }

  return {
    state,
    open,
    reset: () => setState(choosing),
    async send(file: File): Promise<void> {
      const controller = new AbortController();
      sending.current = controller;
      toast.close(failure);
      setState({ step: 'sending', sent: 0 });
      try {
        const onSent = (bytes: number) => setState({ step: 'sending', sent: Math.min(1, bytes / file.size) });
        showStored(await sendVignette(file, { signal: controller.signal, onSent }));
      } catch (error) {
        if (!controller.signal.aborted) showFailure(error);
      }
    },
  };
}
