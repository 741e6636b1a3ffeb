import { assetDetails } from './cases/assets/details.ts';
import { assetForms } from './cases/assets/forms.ts';
import { assetList } from './cases/assets/list.ts';
import { conflicts } from './cases/conflicts.ts';
import { details } from './cases/details.ts';
import { forms } from './cases/forms.ts';
import { graphs } from './cases/graphs.ts';
import { imports } from './cases/imports.ts';
import { searchAndViews } from './cases/search-and-views.ts';
import { viewer } from './cases/viewer.ts';
import { weaknesses } from './cases/weaknesses.ts';
import { describeRecordPages } from './describe-record-pages.ts';

describeRecordPages('details, forms, graphs and search of records', [
  [details, 'ada'],
  [assetList, 'ada'],
  [assetDetails, 'ada'],
  [assetForms, 'ada'],
  [graphs, 'ada'],
  [weaknesses, 'ada'],
  [searchAndViews, 'ada'],
  [forms, 'ada'],
  [conflicts, 'ada'],
  [imports, 'ada'],
  [viewer, 'vera'],
]);
