import { type Catalogue, cwe, type Job, type RefreshResult } from '@riskboard/contract';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { call } from '../../../lib/api/call.ts';
import { messageOf } from '../../../lib/api/errors.ts';
import { sendFile } from '../../../lib/api/send-file.ts';
import { startedJob } from '../../../lib/jobs/started-job.ts';
import { endOfJob } from '../../../lib/jobs/wait-for-job.ts';
import { toast } from '../../../ui/feedback/toast.ts';
import { catalogueQuery } from '../queries.ts';

function showEnd(job: Job): void {
  if (job.state === 'failed')
    return void toast.error('Refresh failed', job.error?.message ?? 'The catalogue is unchanged.');
  if (job.state !== 'succeeded' || job.result === null) return;
  const { version, entries } = job.result as RefreshResult;
  if (entries === 0) toast.info('The catalogue is current', `CWE ${version} is MITRE’s newest version.`);
  else toast.success('Catalogue refreshed', `Riskboard now uses CWE ${version}.`);
}

/** Refreshes the catalogue from MITRE; `jobId` is that of the running refresh. */
export function useRefresh() {
  const queryClient = useQueryClient();
  const [jobId, setJobId] = useState<string | null>(null);
  const { mutate, isPending } = useMutation({
    mutationFn: async () => startedJob(await call(cwe.refresh)),
    onError: (error) => void toast.error('Refresh failed', messageOf(error, 'Please try again.')),
    async onSuccess(id) {
      setJobId(id);
      try {
        showEnd(await endOfJob(id));
      } catch (error) {
        toast.error('Refresh failed', messageOf(error, 'Please try again.'));
      }
      setJobId(null);
      await queryClient.invalidateQueries({ queryKey: ['weaknesses'] });
    },
  });
  return { start: () => mutate(), jobId, isBusy: isPending || jobId !== null };
}

/** Guards against a 201 that did not come from the API, such as the page of a proxy. */
function isCatalogue(body: unknown): body is Catalogue {
  const { version, versions } = (body ?? {}) as Partial<Catalogue>;
  return typeof version === 'string' && Array.isArray(versions);
}

/** Uploads a catalogue; `sent` is the share of the file that has been sent, null while nothing is. */
export function useUpload() {
  const queryClient = useQueryClient();
  const [sent, setSent] = useState<number | null>(null);
  const controller = useRef<AbortController>(undefined);
  useEffect(() => () => controller.current?.abort(), []);

  async function upload(file: File): Promise<void> {
    controller.current = new AbortController();
    setSent(0);
    try {
      const catalogue = await sendFile(file, {
        endpoint: cwe.upload,
        signal: controller.current.signal,
        onSent: (bytes) => setSent(Math.min(1, bytes / file.size)),
        isReply: isCatalogue,
      });
      queryClient.setQueryData(catalogueQuery().queryKey, catalogue);
      toast.success('Catalogue uploaded', `Riskboard now uses CWE ${catalogue.version}.`);
      await queryClient.invalidateQueries({ queryKey: ['weaknesses'] });
    } catch (error) {
      if (!controller.current.signal.aborted)
        toast.error('Upload failed', messageOf(error, 'Please try again.'));
    }
    setSent(null);
  }
  return { upload, sent, cancel: () => controller.current?.abort() };
}

/** Chooses a version of the catalogue. */
export function useChoose() {
  const queryClient = useQueryClient();
  const { mutate, isPending } = useMutation({
    mutationFn: (version: string) => call(cwe.choose, { body: { version } }),
    onError: (error) => void toast.error('Catalogue not changed', messageOf(error, 'Please try again.')),
    async onSuccess(catalogue) {
      queryClient.setQueryData(catalogueQuery().queryKey, catalogue);
      toast.success('Catalogue changed', `Riskboard now uses CWE ${catalogue.version}.`);
      await queryClient.invalidateQueries({ queryKey: ['weaknesses'] });
    },
  });
  return { choose: (version: string) => mutate(version), isPending };
}
