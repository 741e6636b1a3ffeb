import {
  imports,
  projects,
  type CsvImport,
  type ImportPreviewRow,
  type ImportRow,
  type ImportPlan,
} from '@riskboard/contract';
import { CsvImport as CsvImportSchema } from '@riskboard/contract/schemas';
import { fakeApi, pageOf, type FakeApi } from './fake-api.ts';
import { newId } from './rows.ts';
import { accepted, answer, server } from './server.ts';

/** A CSV file of assets with three columns, of which two match a field; valid by the contract. */
export const importOf = (change: Partial<CsvImport> = {}): CsvImport =>
  CsvImportSchema.parse({
    _id: newId(),
    noun: 'assets',
    fileName: 'inventory.csv',
    bytes: 2048,
    rows: 40,
    columns: [
      { index: 0, header: 'Name', field: 'name', samples: ['Mail gateway', 'Billing'] },
      { index: 1, header: 'Importance', field: 'criticality', samples: ['High'] },
      { index: 2, header: 'Owner', field: null, samples: [] },
    ],
    mapping: null,
    key: null,
    projectId: null,
    state: 'uploaded',
    counts: null,
    undo: null,
    jobId: null,
    error: null,
    createdAt: '2026-11-20T10:00:00.000Z',
    createdBy: 'Ada Lovelace',
    ...change,
  } satisfies CsvImport);

export const previewRowOf = (change: Partial<ImportPreviewRow> = {}): ImportPreviewRow => ({
  line: 2,
  action: 'create',
  name: 'Mail gateway',
  cells: [{ column: 0, field: 'name', value: 'Mail gateway' }],
  problems: [],
  ...change,
});

export const importRowOf = (change: Partial<ImportRow> = {}): ImportRow => ({
  line: 2,
  action: 'created',
  recordId: newId(),
  name: 'Mail gateway',
  field: null,
  problem: null,
  ...change,
});

export interface ImportsApi {
  readonly api: FakeApi;
  imports: CsvImport[];
  rows: ImportRow[];
  preview: ImportPreviewRow[];
  /** Plans of the previews and runs, in the order of the calls. */
  readonly sent: { call: 'preview' | 'check' | 'start' | 'undo'; plan: ImportPlan | null }[];
  /** Job of the next run. */
  jobId: string;
}

/** An API with CSV imports. A test changes the returned object, or overrides single endpoints. */
export function importsApi(...start: CsvImport[]): ImportsApi {
  const state: ImportsApi = {
    api: fakeApi(),
    imports: start,
    rows: [],
    preview: [previewRowOf()],
    sent: [],
    jobId: newId(),
  };
  const readPlan = async (request: Request) => (await request.json()) as ImportPlan;
  server.use(
    answer(imports.list, ({ url }) => {
      const noun = url.searchParams.get('noun');
      const { rows, total, page, pageSize } = pageOf(
        state.imports.filter((one) => noun === null || one.noun === noun),
        url,
      );
      return { imports: rows, total, page, pageSize };
    }),
    answer(imports.rows, ({ url }) => {
      const action = url.searchParams.get('action');
      const { rows, total, page, pageSize } = pageOf(
        state.rows.filter((row) => action === null || row.action === action),
        url,
      );
      return { rows, total, page, pageSize };
    }),
    answer(imports.preview, async ({ request }) => {
      state.sent.push({ call: 'preview', plan: await readPlan(request) });
      return { rows: state.preview };
    }),
    answer(imports.check, async ({ request }) => {
      state.sent.push({ call: 'check', plan: await readPlan(request) });
      return accepted(state.jobId);
    }),
    answer(imports.start, async ({ request }) => {
      state.sent.push({ call: 'start', plan: await readPlan(request) });
      return accepted(state.jobId);
    }),
    answer(imports.undo, () => {
      state.sent.push({ call: 'undo', plan: null });
      return accepted(state.jobId);
    }),
    answer(imports.get, ({ params }) => state.imports.find(({ _id }) => _id === params['id'])),
    answer(imports.delete, ({ params }) => {
      state.imports = state.imports.filter(({ _id }) => _id !== params['id']);
      const id = String(params['id']);
      return { success: true as const, _id: id, id };
    }),
    answer(projects.names, () => ({ projects: [], total: 0 })),
  );
  return state;
}
