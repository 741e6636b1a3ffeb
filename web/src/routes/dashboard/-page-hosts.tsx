import { LogoutQuestion } from '../../features/accounts/logout-question.tsx';
import { CalculateHost } from '../../features/cwss/calculate/calculate-dialog.tsx';
import { CsvQuestion } from '../../features/imports/upload/csv-question.tsx';
import { droppedCsv } from '../../features/imports/upload/csv-drop-state.ts';
import { JobDrawer } from '../../features/jobs/job-drawer.tsx';
import { WorkProgress } from '../../features/jobs/work-progress.tsx';
import { UploadHost } from '../../features/reports/upload/upload-host.tsx';
import { VignetteUploadHost } from '../../features/vignettes/upload/vignette-upload-host.tsx';
import { openVignetteUpload } from '../../features/vignettes/upload/vignette-upload-state.ts';

/** Opens the upload of vignettes with a dropped file that is one. */
async function takeVignette(file: File): Promise<boolean> {
  const { isVignetteFile } = await import('../../features/vignettes/upload/vignette-file.ts');
  if (!(await isVignetteFile(file))) return false;
  openVignetteUpload(file);
  return true;
}

/** Drawers, dialogs and drop areas of every page: closed at first, and loaded after the page. */
export function PageHosts() {
  return (
    <>
      <JobDrawer />
      <WorkProgress />
      <UploadHost onCsv={droppedCsv.set} onVignette={takeVignette} />
      <VignetteUploadHost />
      <CsvQuestion />
      <CalculateHost />
      <LogoutQuestion />
    </>
  );
}
