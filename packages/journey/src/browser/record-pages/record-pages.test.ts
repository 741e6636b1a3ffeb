import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { chromiumPath } from '../../support/chromium.ts';
import { alertPages, alertPagesViewer } from './cases/alerts.ts';
import { assetDetails } from './cases/assets/details.ts';
import { assetForms } from './cases/assets/forms.ts';
import { assetList } from './cases/assets/list.ts';
import { batchPages } from './cases/batches.ts';
import { changes } from './cases/changes.ts';
import { cwssExplanation, cwssExplanationViewer } from './cases/cwss/explanation.ts';
import { cwssJourney } from './cases/cwss/journey.ts';
import { conflicts } from './cases/conflicts.ts';
import { cwssLists } from './cases/cwss/lists.ts';
import { details } from './cases/details.ts';
import { filesList } from './cases/files-list.ts';
import { imports } from './cases/imports.ts';
import { overviewPage } from './cases/overview/page.ts';
import { overviewHistory } from './cases/overview/history.ts';
import { riskReportCases } from './cases/overview/report.ts';
import { projectDashboard } from './cases/projects/dashboard.ts';
import { projectDetail } from './cases/projects/detail.ts';
import { projectForms } from './cases/projects/forms.ts';
import { searchAndViews } from './cases/search-and-views.ts';
import { forms } from './cases/forms.ts';
import { graphs } from './cases/graphs.ts';
import { filters } from './cases/filters.ts';
import { checkPages } from './page-cases.ts';
import { relations } from './cases/relations.ts';
import { relating } from './cases/relating.ts';
import { threatLists } from './cases/threat-lists.ts';
import { vignettePages } from './cases/vignettes.ts';
import { vulnerabilityLists } from './cases/vulnerability-lists.ts';
import { weaknesses } from './cases/weaknesses.ts';
import { workLists } from './cases/work-lists.ts';
import { viewer } from './cases/viewer.ts';
import { startScenario, type Scenario } from './scenario.ts';

const chromium = chromiumPath();

/** Every text and control of the record pages that the specification names, in the whole product. */
describe.skipIf(chromium === null)('record pages', () => {
  let scenario: Scenario;
  const current = () => scenario;

  beforeAll(async () => {
    scenario = await startScenario(chromium ?? '');
  });
  beforeEach(({ task, onTestFailed }) => onTestFailed(() => scenario.screenshots(task.id)));
  afterAll(() => scenario?.end());

  checkPages(current, vulnerabilityLists);
  checkPages(current, threatLists);
  checkPages(current, overviewPage);
  checkPages(current, overviewHistory);
  checkPages(current, riskReportCases);
  checkPages(current, projectDashboard);
  checkPages(current, projectDetail);
  checkPages(current, projectForms);
  checkPages(current, filesList);
  checkPages(current, workLists);
  checkPages(current, filters);
  checkPages(current, details);
  checkPages(current, assetList);
  checkPages(current, assetDetails);
  checkPages(current, assetForms);
  checkPages(current, graphs);
  checkPages(current, weaknesses);
  checkPages(current, searchAndViews);
  checkPages(current, forms);
  checkPages(current, conflicts);
  checkPages(current, imports);
  checkPages(current, cwssExplanation);
  checkPages(current, cwssExplanationViewer, 'vera');
  checkPages(current, cwssLists);
  checkPages(current, cwssJourney);
  checkPages(current, vignettePages);
  checkPages(current, viewer, 'vera');
  checkPages(current, changes);
  checkPages(current, relations);
  checkPages(current, relating);
  checkPages(current, batchPages);
  checkPages(current, alertPages);
  checkPages(current, alertPagesViewer, 'vera');

  test('consoles show only the expected failures and no policy violation', () => {
    expect(scenario.consoleErrors).toEqual([]);
    expect(scenario.expectedFailures.missing()).toEqual([]);
  });
});
