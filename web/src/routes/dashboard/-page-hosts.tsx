import { CalculateHost } from '../../features/cwss/calculate/calculate-dialog.tsx';
import { CsvQuestion } from '../../features/imports/upload/csv-question.tsx';
import { droppedCsv } from '../../features/imports/upload/csv-drop-state.ts';
import { JobDrawer } from '../../features/jobs/job-drawer.tsx';
import { UploadHost } from '../../features/reports/upload/upload-host.tsx';

/** Drawers, dialogs and drop areas of every page: closed at first, and loaded after the page. */
export function PageHosts() {
  return (
    <>
      <JobDrawer />
      <UploadHost onCsv={droppedCsv.set} />
      <CsvQuestion />
      <CalculateHost />
    </>
  );
}
