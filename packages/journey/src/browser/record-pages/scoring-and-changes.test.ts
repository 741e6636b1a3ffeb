import { alertPages, alertPagesViewer } from './cases/alerts.ts';
import { batchPages } from './cases/batches.ts';
import { changes } from './cases/changes.ts';
import { cwssExplanation, cwssExplanationViewer } from './cases/cwss/explanation.ts';
import { cwssJourney } from './cases/cwss/journey.ts';
import { cwssLists } from './cases/cwss/lists.ts';
import { relating } from './cases/relating.ts';
import { relations } from './cases/relations.ts';
import { vignettePages } from './cases/vignettes.ts';
import { describeRecordPages } from './describe-record-pages.ts';

describeRecordPages('scoring, changes of records, batches and alerts', [
  [cwssExplanation, 'ada'],
  [cwssExplanationViewer, 'vera'],
  [cwssLists, 'ada'],
  [cwssJourney, 'ada'],
  [vignettePages, 'ada'],
  [changes, 'ada'],
  [relations, 'ada'],
  [relating, 'ada'],
  [batchPages, 'ada'],
  [alertPages, 'ada'],
  [alertPagesViewer, 'vera'],
]);
