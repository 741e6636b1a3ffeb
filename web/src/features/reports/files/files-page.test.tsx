import { reports } from '@riskboard/contract';
import { screen, waitFor, within } from '@testing-library/react';
import { afterEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { fakeApi } from '../../../testing/fake-api.ts';
import { visit } from '../../../testing/render-app.tsx';
import { fileOf, jobOf } from '../../../testing/rows.ts';
import { answer, refusal, server, useServer } from '../../../testing/server.ts';
import { uploadDialog } from '../upload/upload-dialog-state.ts';

useServer();

// The dialog state outlives pages, so it would leak into the next test.
afterEach(() => uploadDialog.set(false));

const rowOf = (name: string) => screen.findByRole('row', { name: new RegExp(name, 'u') });

const many = (count: number) =>
  Array.from({ length: count }, (_, n) => fileOf({ originalFilename: `report-${n + 1}.json` }));

describe('list of uploaded files', () => {
  it('shows size, state and extracted records of a file', async () => {
    fakeApi({
      files: [fileOf({ originalFilename: 'apt29.json', size: 1536, vulnerabilityCount: 2, threatCount: 5 })],
    });
    visit('/dashboard/reports');
    await screen.findByRole('heading', { name: 'All Uploaded Files', level: 1 });
    const row = await rowOf('apt29.json');
    within(row).getByRole('cell', { name: '1.5 KB' });
    within(row).getByRole('cell', { name: 'Extracted' });
    await within(row).findByRole('cell', { name: '2 of 3' });
    expect(await within(row).findByRole('cell', { name: '5' })).toBeTruthy();
  });

  it('shows the counts of a file that is read while its row is visible', async () => {
    class Visible {
      readonly #report: IntersectionObserverCallback;
      constructor(report: IntersectionObserverCallback) {
        this.#report = report;
      }
      observe(target: Element): void {
        const entry = { isIntersecting: true, target } as IntersectionObserverEntry;
        this.#report([entry], this as unknown as IntersectionObserver);
      }
      disconnect(): void {
        // Nothing is observed later.
      }
    }
    vi.stubGlobal('IntersectionObserver', Visible);
    onTestFinished(() => void vi.unstubAllGlobals());
    const file = fileOf({ originalFilename: 'apt29.json', vulnerabilityCount: 2, threatCount: 5 });
    const unread = { vulnerabilityCount: 0, threatCount: 0, vulnerabilityRecords: null, threatRecords: null };
    const api = fakeApi({ files: [{ ...file, ...unread, parseState: 'running' }] });
    visit('/dashboard/reports');
    await rowOf('apt29.json');
    api.files.splice(0, 1, file);
    window.dispatchEvent(new CustomEvent('stix:uploaded'));
    await within(await rowOf('apt29.json')).findByRole('cell', { name: '2 of 3' });
    expect(await within(await rowOf('apt29.json')).findByRole('cell', { name: '5' })).toBeTruthy();
  });

  it('shows N/A for a count that failed to load, and logs the failure', async () => {
    const logged = vi.spyOn(console, 'warn').mockReturnValue();
    fakeApi({ files: [fileOf({ originalFilename: 'apt29.json' })] });
    server.use(answer(reports.threatCount, () => refusal('internal')));
    visit('/dashboard/reports');
    await within(await rowOf('apt29.json')).findByRole('cell', { name: 'N/A' });
    expect(logged).toHaveBeenCalledWith('Failed to count threats', expect.anything(), expect.anything());
  });

  it('keeps page, sorting and search in the URL, and returns to page 1 after a search', async () => {
    const api = fakeApi({ files: many(25) });
    const { router, user } = visit('/dashboard/reports');
    await rowOf('report-1.json');
    await user.click(screen.getByRole('button', { name: 'Page 3' }));
    await rowOf('report-25.json');
    expect(router.state.location.search).toMatchObject({ page: 3 });

    await user.click(screen.getByRole('button', { name: 'Size' }));
    await waitFor(() => expect(router.state.location.search).toEqual({ sort: '-size' }));
    expect(screen.getByRole('columnheader', { name: 'Size' }).getAttribute('aria-sort')).toBe('descending');

    await user.type(screen.getByRole('searchbox', { name: 'Search files' }), 'report-7');
    await waitFor(() => expect(screen.getAllByRole('row')).toHaveLength(2));
    expect(router.state.location.search).toEqual({ search: 'report-7', sort: '-size' });
    const queries = api.requests.map(({ searchParams }) => Object.fromEntries(searchParams));
    expect(queries).toContainEqual({ page: '1', pageSize: '10', sort: '-size', search: 'report-7' });
  });

  it('ignores invalid parameters in the URL', async () => {
    const api = fakeApi({ files: many(3) });
    visit('/dashboard/reports?page=-7&pageSize=13&sort=password');
    await rowOf('report-1.json');
    expect(Object.fromEntries(api.requests.at(-1)?.searchParams ?? [])).toEqual({
      page: '1',
      pageSize: '10',
      sort: '-uploadDate',
    });
  });

  it('offers the upload when there are no files', async () => {
    fakeApi();
    const { user } = visit('/dashboard/reports');
    await screen.findByText('No files found.');
    await user.click(screen.getByRole('button', { name: 'Upload STIX/TAXII' }));
    expect(await screen.findByRole('dialog', { name: 'Upload STIX/TAXII Report' })).toBeTruthy();
  });

  it('shows an error when the list fails to load, and reloads it on Retry', async () => {
    const api = fakeApi({ files: many(1) });
    server.use(answer(reports.files, () => refusal('unavailable')));
    const { user, connected } = visit('/dashboard/reports');
    await connected();
    const alert = await screen.findByRole('alert');
    within(alert).getByText('Failed to load files.');
    within(alert).getByText('request-1');
    server.resetHandlers();
    fakeApi({ files: api.files });
    await user.click(within(alert).getByRole('button', { name: 'Retry' }));
    expect(await rowOf('report-1.json')).toBeTruthy();
  });

  it('refreshes on the stix:uploaded event', async () => {
    const api = fakeApi({ files: many(1) });
    visit('/dashboard/reports');
    await rowOf('report-1.json');
    api.files.push(fileOf({ originalFilename: 'new.json' }));
    window.dispatchEvent(new CustomEvent('stix:uploaded'));
    expect(await rowOf('new.json')).toBeTruthy();
  });

  it('shows what the first job of a file waits for, not that the second one waits for the first', async () => {
    const file = fileOf({ originalFilename: 'apt29.json', parseState: 'queued' });
    const of = { fileId: file._id, fileName: file.originalFilename };
    const waiting = (phase: string) => ({ ...of, progress: { phase, done: 0, total: 0 } });
    const extract = jobOf({ kind: 'stix.extract', ...waiting('waiting for the report to be read') });
    const parse = jobOf({ kind: 'stix.parse', ...waiting('waiting for the batch to be resumed') });
    fakeApi({ files: [file], jobs: [extract, parse] });
    visit('/dashboard/reports');
    expect(await within(await rowOf('apt29.json')).findByText('The batch is paused')).toBeTruthy();
  });

  it('shows the live progress of a job on a file, and new counts when it has ended', async () => {
    const file = fileOf({ originalFilename: 'apt29.json' });
    const job = jobOf({ kind: 'stix.extract', fileId: file._id, fileName: file.originalFilename });
    const api = fakeApi({ files: [file], jobs: [job] });
    visit('/dashboard/reports');
    const row = await rowOf('apt29.json');
    await within(row).findByText('Waiting for a worker');

    const running = { ...job, state: 'running', version: 2, startedAt: job.createdAt } as const;
    api.publish({
      type: 'job.updated',
      job: { ...running, progress: { phase: 'extracting threats', done: 30, total: 120 } },
    });
    const bar = await within(row).findByRole('progressbar', { name: /Extracting threats/u });
    expect(bar.getAttribute('aria-valuenow')).toBe('25');

    api.files = [{ ...file, vulnerabilityCount: 3 }];
    api.publish({ type: 'job.updated', job: { ...running, state: 'succeeded', version: 3 } });
    await within(row).findByRole('cell', { name: 'Extracted' });
    await within(row).findByRole('cell', { name: '3' });
  });
});
