import { accounts, batches, jobs, reports } from '@riskboard/contract';
import { screen, waitFor } from '@testing-library/react';
import { afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { followedWork } from '../../lib/jobs/followed-work.ts';
import { jobStore } from '../../lib/jobs/job-store.ts';
import { forgetJobs } from '../../lib/jobs/kept-jobs.ts';
import { batchOf } from '../../testing/batches.ts';
import { fakeApi } from '../../testing/fake-api.ts';
import { visit } from '../../testing/render-app.tsx';
import { extractResultOf, fileOf, jobOf, parseResultOf, userOf } from '../../testing/rows.ts';
import { answer, refusal, server, useServer } from '../../testing/server.ts';

useServer();

// The first test waits until the code that resumes work is compiled.
beforeAll(() => import('./-resume-work.ts').then(() => undefined), 30_000);

const { _id, organizationId } = userOf();
const owner = `${_id} ${organizationId}`;

/** What a page leaves in the session storage of its tab when it is reloaded. */
const leave = (key: string, content: object) =>
  sessionStorage.setItem(`riskboard.${key}`, JSON.stringify(content));

/** A page that was just loaded follows nothing and knows no jobs; other tests may have left some. */
function startPage(): void {
  forgetJobs();
  followedWork.clear();
  jobStore.clear();
}
beforeEach(startPage);
afterEach(startPage);

const file = fileOf({ originalFilename: 'apt29.json', parseState: 'running', vulnerabilityRecords: null });
const extraction = jobOf({ kind: 'stix.extract', fileId: file._id, state: 'running', version: 4 });
const extracted = {
  ...extraction,
  state: 'succeeded' as const,
  version: 9,
  result: extractResultOf({ created: 1693 }),
};
const work = { id: extraction._id, kind: 'extraction', data: 'threats' };
const toasts = () => screen.queryAllByText('1,693 were extracted from the file.').length;

describe('after a reload while a job runs', () => {
  it('the end of the job is shown once, when it ends after the reload', async () => {
    leave('followed-work', { owner, works: [work] });
    const api = fakeApi({ files: [file], jobs: [extraction] });
    server.use(answer(jobs.get, () => extraction));
    const { connected } = visit('/dashboard/reports');
    await connected();
    expect(toasts()).toBe(0);
    api.publish({ type: 'job.updated', job: extracted });
    await screen.findByText('Threats extracted');
    api.publish({ type: 'job.updated', job: { ...extracted, version: 10 } });
    await waitFor(() => expect(jobStore.find(extraction._id)?.version).toBe(10));
    expect(toasts()).toBe(1);
    expect(sessionStorage.getItem('riskboard.followed-work')).toBeNull();
  });

  it('the end of the job is shown when it ended while the page was loading', async () => {
    leave('followed-work', { owner, works: [work] });
    fakeApi({ files: [file] });
    server.use(answer(jobs.get, () => extracted));
    visit('/dashboard/reports');
    await screen.findByText('Threats extracted');
    expect(toasts()).toBe(1);
  });

  it('the toast of a batch of uploads counts unreadable reports apart from created ones', async () => {
    const [good, broken] = [jobOf({ version: 3 }), jobOf({ version: 3 })];
    const ended = new Map([
      [good._id, { ...good, state: 'succeeded' as const, result: parseResultOf({}) }],
      [broken._id, { ...broken, state: 'failed' as const, error: { code: 'malformed', message: 'No end.' } }],
    ]);
    const data = [good, broken].map(({ _id: jobId }) => ({
      name: 'a.json',
      stored: { action: 'created', _id: file._id, jobId },
      reason: null,
    }));
    leave('followed-work', { owner, works: [{ id: 'uploads-1', kind: 'uploads', data }] });
    fakeApi();
    server.use(answer(jobs.get, ({ params }) => ended.get(String(params['id'])) ?? refusal('not_found')));
    visit('/dashboard/reports');
    await screen.findByText('Some reports could not be read');
    expect(screen.getByText('1 created, 1 could not be read.')).toBeDefined();
  });

  it('the toast of an interrupted batch of uploads has its counts and leads to it', async () => {
    const batch = batchOf({ files: 55, planned: { files: 59, bytes: 590 } });
    const data = { batchId: batch._id, files: 59, received: 52 };
    leave('followed-work', {
      owner,
      works: [{ id: 'uploads-interrupted', kind: 'interrupted-uploads', data }],
    });
    fakeApi();
    server.use(answer(batches.get, () => batch));
    visit('/dashboard/reports');
    await screen.findByText('Upload interrupted');
    expect(screen.getByText('55 of 59 files were received. Upload the missing ones again.')).toBeDefined();
    expect(screen.getByRole('button', { name: 'View batch' })).toBeDefined();
    expect(sessionStorage.getItem('riskboard.followed-work')).toBeNull();
  });

  it('jobs of other people and of the account that was logged in before show no toast', async () => {
    leave('followed-work', { owner: `another-user ${organizationId}`, works: [work] });
    leave('jobs', { owner: `another-user ${organizationId}`, jobs: [extraction] });
    const api = fakeApi({ files: [file] });
    const { connected } = visit('/dashboard/reports');
    await connected();
    expect(jobStore.find(extraction._id)).toBeUndefined();
    api.publish({ type: 'job.updated', job: extracted });
    await waitFor(() => expect(jobStore.find(extraction._id)?.state).toBe('succeeded'));
    expect(toasts()).toBe(0);
  });

  it('the progress of a job is at least what the page showed before, also before the socket is open', async () => {
    const parse = jobOf({
      fileId: file._id,
      state: 'running',
      version: 7,
      createdAt: file.uploadDate,
      progress: { phase: 'reading', done: 60, total: 100 },
    });
    leave('jobs', { owner, jobs: [parse] });
    // The list and the snapshot were read before the last progress.
    const older = { ...parse, version: 5, progress: { phase: 'reading', done: 10, total: 100 } };
    const api = fakeApi({ files: [file], jobs: [older] });
    const { connected } = visit('/dashboard/reports');
    const shown = new Set<string>();
    const observer = new MutationObserver(() => {
      for (const text of document.body.textContent.match(/\d+%|Waiting to be read|Not readable/gu) ?? [])
        shown.add(text);
    });
    observer.observe(document.body, { childList: true, subtree: true, characterData: true });
    await screen.findByText('60%');
    await connected();
    // The parse has ended before the list is fetched again.
    const result = { ...parseResultOf({}), vulnerabilityRecords: 2, threatRecords: 0 };
    api.publish({ type: 'job.updated', job: { ...parse, state: 'succeeded', version: 8, result } });
    await screen.findByText('Ready to extract');
    observer.disconnect();
    expect([...shown]).toEqual(['60%']);
  });

  it('a job that ended meanwhile keeps its last state until its end is known', async () => {
    const parse = jobOf({
      fileId: file._id,
      state: 'running',
      version: 7,
      createdAt: file.uploadDate,
      progress: { phase: 'reading', done: 60, total: 100 },
    });
    leave('jobs', { owner, jobs: [parse] });
    fakeApi({ files: [file] });
    let end: (() => void) | undefined;
    server.use(
      answer(jobs.get, async () => {
        await new Promise<void>((resolve) => {
          end = resolve;
        });
        const error = { code: 'malformed', message: 'No end.' };
        return { ...parse, state: 'failed' as const, version: 9, error };
      }),
    );
    visit('/dashboard/reports');
    await screen.findByText('60%');
    await waitFor(() => expect(end).toBeDefined());
    screen.getByText('60%');
    end?.();
    await screen.findByText('Not readable');
  });

  it('a log-out ends what the tab follows', async () => {
    const api = fakeApi({ files: [file] });
    server.use(
      answer(reports.extractThreat, () =>
        Response.json({ jobId: extraction._id, message: 'Started' }, { status: 202 }),
      ),
      answer(accounts.logout, () => ({ success: true as const })),
      answer(jobs.get, () => extraction),
    );
    api.files = [{ ...file, parseState: 'succeeded', vulnerabilityRecords: 1, threatRecords: 1 }];
    const { user } = visit('/dashboard/reports');
    await user.click(await screen.findByRole('button', { name: 'Actions for apt29.json' }));
    await user.click(await screen.findByRole('menuitem', { name: 'Extract threat data' }));
    await user.click(await screen.findByRole('button', { name: 'Extract' }));
    await waitFor(() => expect(followedWork.has(extraction._id)).toBe(true));
    await user.click(screen.getByRole('button', { name: /Hello, Ada/u }));
    await user.click(await screen.findByRole('menuitem', { name: 'Log out' }));
    await waitFor(() => expect(followedWork.has(extraction._id)).toBe(false));
    expect(sessionStorage.getItem('riskboard.followed-work')).toBeNull();
  });
});
