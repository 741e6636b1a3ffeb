import {
  accounts,
  activity,
  alerts,
  jobs,
  reports,
  views,
  type Job,
  type ReportFile,
  type ServerMessage,
} from '@riskboard/contract';
import { HttpResponse } from 'msw';
import { vi } from 'vitest';
import { FakeSocket } from './fake-socket.ts';
import { answer, server } from './server.ts';
import { userOf } from './rows.ts';

/** The requested page of a list, with the fields that every list reply has. */
export function pageOf<Row>(rows: readonly Row[], url: URL) {
  const page = Number(url.searchParams.get('page') ?? 1);
  const pageSize = Number(url.searchParams.get('pageSize') ?? 50);
  const shown = rows.slice((page - 1) * pageSize, page * pageSize);
  return { rows: shown, total: rows.length, page, pageSize, nextCursor: null };
}

export interface FakeApi {
  files: ReportFile[];
  jobs: Job[];
  /** URLs of the calls that listed files or jobs. */
  readonly requests: URL[];
  /** Sends a message to the app over the newest socket. */
  publish(message: ServerMessage): void;
}

/** An API with files, jobs and a socket that opens by itself. A test overrides single endpoints with `answer`. */
export function fakeApi(start: { files?: ReportFile[]; jobs?: Job[] } = {}): FakeApi {
  const api: FakeApi = {
    files: start.files ?? [],
    jobs: start.jobs ?? [],
    requests: [],
    publish: (message) => FakeSocket.opened.at(-1)?.receive(message),
  };

  FakeSocket.opened = [];
  class OpenSocket extends FakeSocket {
    constructor(url: string) {
      super(url);
      queueMicrotask(() => {
        const live = api.jobs.filter(({ state }) => state === 'queued' || state === 'running');
        this.open({ type: 'hello' }, { type: 'snapshot', jobs: live });
      });
    }
  }
  vi.stubGlobal('WebSocket', OpenSocket);

  const fileOf = (id: unknown) => api.files.find((file) => file._id === id);
  server.use(
    answer(accounts.me, () => ({ user: userOf() })),
    answer(views.list, () => ({ views: [] })),
    answer(alerts.unread, () => ({ unread: 0 })),
    answer(activity.list, () => ({
      activity: [],
      searchedSince: null,
      total: 0,
      page: 1,
      pageSize: 10,
      nextCursor: null,
    })),
    answer(reports.files, ({ url }) => {
      api.requests.push(url);
      const names = url.searchParams.getAll('name').map((name) => name.toLowerCase());
      const text = (url.searchParams.get('search') ?? '').toLowerCase();
      const found = api.files.filter(({ originalFilename }) => {
        const name = originalFilename.toLowerCase();
        return (names.length === 0 || names.includes(name)) && name.includes(text);
      });
      const { rows: files, ...page } = pageOf(found, url);
      return { files, ...page };
    }),
    answer(reports.vulnerabilityCount, ({ params }) => ({
      count: fileOf(params['id'])?.vulnerabilityCount ?? 0,
    })),
    answer(reports.threatCount, ({ params }) => ({ count: fileOf(params['id'])?.threatCount ?? 0 })),
    answer(jobs.list, ({ url }) => {
      api.requests.push(url);
      const fileId = url.searchParams.get('fileId');
      const states = url.searchParams.getAll('state');
      const found = api.jobs.filter(
        (job) =>
          (fileId === null || job.fileId === fileId) && (states.length === 0 || states.includes(job.state)),
      );
      const { rows, ...page } = pageOf(found, url);
      return { jobs: rows, ...page };
    }),
    answer(jobs.facets, ({ url }) => {
      const counted = (values: readonly string[]) => ({
        values: [...Map.groupBy(values, (value) => value)].map(([value, { length: count }]) => ({
          value,
          count,
        })),
        more: false,
      });
      const facets = {
        state: counted(api.jobs.map(({ state }) => state)),
        kind: counted(api.jobs.map(({ kind }) => kind)),
      };
      const wanted = url.searchParams.getAll('field');
      return { facets: Object.fromEntries(Object.entries(facets).filter(([name]) => wanted.includes(name))) };
    }),
    // After the facets, whose path it would match.
    answer(
      jobs.get,
      ({ params }) => api.jobs.find(({ _id }) => _id === params['id']) ?? HttpResponse.error(),
    ),
  );
  return api;
}
