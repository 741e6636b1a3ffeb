import { imports, type CsvImport, type ImportPlan } from '@riskboard/contract';
import { useQueryClient } from '@tanstack/react-query';
import { useRouter } from '@tanstack/react-router';
import { useState } from 'react';
import { call } from '../../../lib/api/call.ts';
import { messageOf } from '../../../lib/api/errors.ts';
import { startedJob } from '../../../lib/jobs/started-job.ts';
import { nameText } from '../../../lib/format/name-text.ts';
import { toast } from '../../../ui/feedback/toast.ts';
import type { ImportState } from '../import-labels.ts';
import { importPages } from '../import-search.ts';
import { patchImport, refreshImports } from '../queries.ts';
import { followImport, type Run } from './import-toasts.ts';

const running = {
  check: { state: 'checking', failure: 'The dry run was not started' },
  start: { state: 'importing', failure: 'The import was not started' },
  undo: { state: 'undoing', failure: 'The undo was not started' },
} as const satisfies Record<Run, { state: ImportState; failure: string }>;

/** Starts the jobs of an import, and deletes it. */
export function useImportActions(csv: CsvImport) {
  const queryClient = useQueryClient();
  const router = useRouter();
  const [busy, setBusy] = useState(false);
  const { _id: id, noun, fileName } = csv;
  const params = { id };
  const open = (address: string) => router.history.push(address);

  async function attempt(work: () => Promise<unknown>, failure: string): Promise<void> {
    setBusy(true);
    try {
      await work();
    } catch (error) {
      toast.error(failure, messageOf(error, 'Please try again.'));
      // Another tab or person may have started a job, or deleted the import.
      await refreshImports(queryClient);
    }
    setBusy(false);
  }

  const run = (which: Run, start: () => Promise<string>, plan?: ImportPlan) =>
    attempt(async () => {
      const jobId = await start();
      patchImport(queryClient, id, {
        state: running[which].state,
        jobId,
        error: null,
        ...(plan !== undefined && {
          mapping: plan.mapping,
          key: plan.key,
          projectId: plan.projectId ?? null,
        }),
      });
      // The choices are saved now; the URL would otherwise show later ones of another tab as changed.
      void router.navigate({ to: importPages[noun], search: { import: id } as never, replace: true });
      followImport(queryClient, jobId, { run: which, importId: id, noun, fileName, open });
    }, running[which].failure);

  return {
    busy,
    check: (plan: ImportPlan) =>
      run('check', async () => startedJob(await call(imports.check, { params, body: plan })), plan),
    start: (plan: ImportPlan) =>
      run('start', async () => startedJob(await call(imports.start, { params, body: plan })), plan),
    undo: () => run('undo', async () => startedJob(await call(imports.undo, { params }))),
    remove: (done: () => void) =>
      attempt(async () => {
        await call(imports.delete, { params });
        done();
        toast.success('Import deleted', `${nameText(fileName)} and its report were removed.`);
        await refreshImports(queryClient);
      }, 'Delete failed'),
  };
}
