import { overviewHistory } from './cases/overview/history.ts';
import { overviewPage } from './cases/overview/page.ts';
import { riskReportCases } from './cases/overview/report.ts';
import { projectDashboard } from './cases/projects/dashboard.ts';
import { projectDetail } from './cases/projects/detail.ts';
import { projectForms } from './cases/projects/forms.ts';
import { filesList } from './cases/files-list.ts';
import { filters } from './cases/filters.ts';
import { threatLists } from './cases/threat-lists.ts';
import { vulnerabilityLists } from './cases/vulnerability-lists.ts';
import { workLists } from './cases/work-lists.ts';
import { describeRecordPages } from './describe-record-pages.ts';

describeRecordPages('lists and overview', [
  [vulnerabilityLists, 'ada'],
  [threatLists, 'ada'],
  [overviewPage, 'ada'],
  [overviewHistory, 'ada'],
  [riskReportCases, 'ada'],
  [projectDashboard, 'ada'],
  [projectDetail, 'ada'],
  [projectForms, 'ada'],
  [filesList, 'ada'],
  [workLists, 'ada'],
  [filters, 'ada'],
]);
