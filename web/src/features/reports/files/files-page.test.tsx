import { accounts, reports } from '@riskboard/contract';
import { act, screen, waitFor, within } from '@testing-library/react';
import { HttpResponse } from 'msw';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { jobStore } from '../../../lib/jobs/job-store.ts';
import { fakeApi } from '../../../testing/fake-api.ts';
import { visit } from '../../../testing/render-app.tsx';
import { extractResultOf, fileOf, jobOf, userOf } from '../../../testing/rows.ts';
import { answer, refusal, server, useServer } from '../../../testing/server.ts';
import { uploadDialog } from '../upload/upload-dialog-state.ts';

useServer();

// The dialog outlives pages, hence tests.
afterEach(() => uploadDialog.set(false));

const rowOf = (name: string) => screen.findByRole('row', { name: new RegExp(name, 'u') });
const json = (body: object, status = 200) => HttpResponse.json(body, { status });
const accepted = (jobId: string) => json({ jobId, message: 'Started' }, 202);

const many = (count: number) =>
  Array.from({ length: count }, (_, n) => fileOf({ originalFilename: `report-${n + 1}.json` }));

describe('All Uploaded Files', () => {
  it('shows a file with what it holds', async () => {
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

  it('shows N/A for a count that failed, and logs it', async () => {
    const logged = vi.spyOn(console, 'warn').mockReturnValue();
    fakeApi({ files: [fileOf({ originalFilename: 'apt29.json' })] });
    server.use(answer(reports.threatCount, () => refusal('internal')));
    visit('/dashboard/reports');
    await within(await rowOf('apt29.json')).findByRole('cell', { name: 'N/A' });
    expect(logged).toHaveBeenCalledWith('Failed to count threats', expect.anything(), expect.anything());
  });

  it('keeps page, sorting and search in the address, and starts at page 1 after a search', async () => {
    const api = fakeApi({ files: many(25) });
    const { router, user } = visit('/dashboard/reports');
    await rowOf('report-1.json');
    await user.click(screen.getByRole('button', { name: 'Page 3' }));
    await rowOf('report-25.json');
    expect(router.state.location.search).toMatchObject({ page: 3 });

    await user.click(screen.getByRole('button', { name: 'Size' }));
    await waitFor(() => expect(router.state.location.search).toEqual({ sort: 'size' }));
    expect(screen.getByRole('columnheader', { name: 'Size' }).getAttribute('aria-sort')).toBe('ascending');

    await user.type(screen.getByRole('searchbox', { name: 'Search files' }), 'report-7');
    await waitFor(() => expect(screen.getAllByRole('row')).toHaveLength(2));
    expect(router.state.location.search).toEqual({ search: 'report-7', sort: 'size' });
    const asked = api.asked.map(({ searchParams }) => Object.fromEntries(searchParams));
    expect(asked).toContainEqual({ page: '1', pageSize: '10', sort: 'size', search: 'report-7' });
  });

  it('ignores nonsense in the address', async () => {
    const api = fakeApi({ files: many(3) });
    visit('/dashboard/reports?page=-7&pageSize=13&sort=password');
    await rowOf('report-1.json');
    expect(Object.fromEntries(api.asked.at(-1)?.searchParams ?? [])).toEqual({
      page: '1',
      pageSize: '10',
      sort: '-uploadDate',
    });
  });

  it('says that there is nothing, and what to do about it', async () => {
    fakeApi();
    const { user } = visit('/dashboard/reports');
    await screen.findByText('No files found.');
    await user.click(screen.getByRole('button', { name: 'Upload STIX/TAXII' }));
    expect(await screen.findByRole('dialog', { name: 'Upload STIX/TAXII Report' })).toBeTruthy();
  });

  it('says that the list failed, and loads it on Retry', async () => {
    const api = fakeApi({ files: many(1) });
    server.use(answer(reports.files, () => refusal('unavailable')));
    const { user } = visit('/dashboard/reports');
    const alert = await screen.findByRole('alert');
    within(alert).getByText('Failed to load files.');
    within(alert).getByText('request-1');
    server.resetHandlers();
    fakeApi({ files: api.files });
    await user.click(within(alert).getByRole('button', { name: 'Retry' }));
    expect(await rowOf('report-1.json')).toBeTruthy();
  });

  it('refreshes when the page hears stix:uploaded', async () => {
    const api = fakeApi({ files: many(1) });
    visit('/dashboard/reports');
    await rowOf('report-1.json');
    api.files.push(fileOf({ originalFilename: 'new.json' }));
    window.dispatchEvent(new CustomEvent('stix:uploaded'));
    expect(await rowOf('new.json')).toBeTruthy();
  });

  it('shows the job at work on a file, live, and its counts when it has ended', async () => {
    const file = fileOf({ originalFilename: 'apt29.json' });
    const job = jobOf({ kind: 'stix.extract', fileId: file._id, fileName: file.originalFilename });
    const api = fakeApi({ files: [file], jobs: [job] });
    visit('/dashboard/reports');
    const row = await rowOf('apt29.json');
    await within(row).findByText('Waiting for a worker');

    const running = { ...job, state: 'running', version: 2, startedAt: job.createdAt } as const;
    api.tell({
      type: 'job.updated',
      job: { ...running, progress: { phase: 'extracting threats', done: 30, total: 120 } },
    });
    const bar = await within(row).findByRole('progressbar', { name: /Extracting threats/u });
    expect(bar.getAttribute('aria-valuenow')).toBe('25');

    api.files = [{ ...file, vulnerabilityCount: 3 }];
    api.tell({ type: 'job.updated', job: { ...running, state: 'succeeded', version: 3 } });
    await within(row).findByRole('cell', { name: 'Extracted' });
    await within(row).findByRole('cell', { name: '3' });
  });
});

describe('row menu', () => {
  async function openMenu(name: string) {
    const view = visit('/dashboard/reports');
    await view.user.click(await screen.findByRole('button', { name: `Actions for ${name}` }));
    await screen.findByRole('menu');
    return view;
  }

  it('extracts after a question, and tells how many', async () => {
    const file = fileOf({ originalFilename: 'apt29.json' });
    fakeApi({ files: [file] });
    const asked = vi.fn<(body: unknown) => void>();
    server.use(
      answer(reports.extractVulnerability, async ({ request }) => {
        asked(await request.json());
        return { result: extractResultOf({ created: 3 }), message: 'Done' };
      }),
    );
    const { user } = await openMenu('apt29.json');
    await user.click(screen.getByRole('menuitem', { name: 'Extract vulnerability data' }));
    const dialog = await screen.findByRole('alertdialog');
    within(dialog).getByText(
      'This will extract vulnerabilities from apt29.json. This process may take a few moments.',
    );
    expect(asked).not.toHaveBeenCalled();
    await user.click(within(dialog).getByRole('button', { name: 'Extract' }));
    await screen.findByText('Vulnerabilities extracted');
    await screen.findByText('3 were extracted from the file.');
    expect(asked).toHaveBeenCalledWith({ id: file._id });
  });

  it('waits for a job that takes longer, and explains when nothing is new', async () => {
    const file = fileOf({ originalFilename: 'apt29.json' });
    const job = jobOf({ kind: 'stix.extract', fileId: file._id });
    const api = fakeApi({ files: [file] });
    server.use(answer(reports.extractThreat, () => accepted(job._id)));
    const { user } = await openMenu('apt29.json');
    await user.click(screen.getByRole('menuitem', { name: 'Extract threat data' }));
    await user.click(await screen.findByRole('button', { name: 'Extract' }));
    const result = extractResultOf({ created: 0, updated: 1, unchanged: 3, skipped: 1, records: 5 });
    await waitFor(() => expect(screen.queryByRole('alertdialog')).toBeNull());
    api.tell({ type: 'job.updated', job: { ...job, state: 'succeeded', version: 5, result } });
    await screen.findByText('Threats extracted');
    await screen.findByText(
      '0 were extracted from the file: 1 updated, 3 unchanged, 1 skipped of 5 records.',
    );
  });

  it('tells why an extraction failed', async () => {
    fakeApi({ files: [fileOf({ originalFilename: 'apt29.json' })] });
    server.use(answer(reports.extractBoth, () => refusal('conflict', 'The report is being replaced.')));
    const { user } = await openMenu('apt29.json');
    await user.click(screen.getByRole('menuitem', { name: 'Extract both' }));
    await user.click(await screen.findByRole('button', { name: 'Extract' }));
    await screen.findByText('Extraction failed');
    expect(await screen.findByText('The report is being replaced.')).toBeTruthy();
  });

  it('does not extract from a report that could not be read', async () => {
    fakeApi({
      files: [fileOf({ originalFilename: 'torn.xml', parseState: 'failed', parseError: 'Line 3: no end.' })],
    });
    await openMenu('torn.xml');
    screen.getByText('Line 3: no end.');
    const item = screen.getByRole('menuitem', { name: /Extract threat data/u });
    expect(item.getAttribute('aria-disabled')).toBe('true');
    within(item).getByText('The report could not be read.');
  });

  it('deletes after the question, and tells a failure with the server text', async () => {
    const file = fileOf({ originalFilename: 'apt29.json' });
    const api = fakeApi({ files: [file] });
    server.use(answer(reports.deleteFile, () => refusal('role_too_low', 'Viewers may not delete.')));
    const { user } = await openMenu('apt29.json');
    await user.click(screen.getByRole('menuitem', { name: 'Delete' }));
    const dialog = await screen.findByRole('alertdialog', { name: 'Are you absolutely sure?' });
    within(dialog).getByText(
      'This action cannot be undone. This will permanently delete the file and all associated data.',
    );
    await user.click(within(dialog).getByRole('button', { name: 'Delete' }));
    await screen.findByText('Delete failed');
    await screen.findByText('Viewers may not delete.');

    server.use(
      answer(reports.deleteFile, () => {
        api.files = [];
        return { success: true as const, _id: file._id, id: file._id };
      }),
    );
    await user.click(screen.getByRole('button', { name: 'Actions for apt29.json' }));
    await user.click(await screen.findByRole('menuitem', { name: 'Delete' }));
    await user.click(await screen.findByRole('button', { name: 'Delete' }));
    await screen.findByText('File deleted');
    await screen.findByText('The file has been successfully deleted.');
    expect(await screen.findByText('No files found.')).toBeTruthy();
  });

  it('downloads the content as pretty-printed JSON under the name with .json', async () => {
    const saved: { name: string; content: Blob }[] = [];
    // jsdom has neither.
    URL.revokeObjectURL = () => undefined;
    URL.createObjectURL = (content) => {
      saved.push({ name: '', content: content as Blob });
      return 'blob:1';
    };
    vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(function save(this: HTMLAnchorElement) {
      const last = saved.at(-1);
      if (last !== undefined) saved[saved.length - 1] = { ...last, name: this.download };
    });
    fakeApi({ files: [fileOf({ originalFilename: 'apt1.xml', media: 'xml' })] });
    server.use(answer(reports.file, () => json({ content: { type: 'bundle', objects: [] } })));
    const { user } = await openMenu('apt1.xml');
    await user.click(screen.getByRole('menuitem', { name: 'Download' }));
    await screen.findByText('Download started');
    expect(saved[0]?.name).toBe('apt1.xml.json');
    expect(await saved[0]?.content.text()).toBe('{\n  "type": "bundle",\n  "objects": []\n}');
  });

  it('says that a download failed', async () => {
    fakeApi({ files: [fileOf({ originalFilename: 'apt1.xml' })] });
    server.use(answer(reports.file, () => refusal('not_found', 'The file is gone.')));
    const { user } = await openMenu('apt1.xml');
    await user.click(screen.getByRole('menuitem', { name: 'Download' }));
    await screen.findByText('Download failed');
    expect(await screen.findByText('The file is gone.')).toBeTruthy();
  });
});

it('lets a viewer read, and says why nothing else', async () => {
  fakeApi({ files: [fileOf({ originalFilename: 'apt29.json' })] });
  server.use(answer(accounts.me, () => ({ user: userOf({ role: 'viewer' }) })));
  const { user } = visit('/dashboard/reports');
  await user.click(await screen.findByRole('button', { name: 'Actions for apt29.json' }));
  for (const name of [/^Delete/u, /^Extract both/u]) {
    const item = await screen.findByRole('menuitem', { name });
    expect(item.getAttribute('aria-disabled')).toBe('true');
    expect(item.textContent).toContain('Requires the analyst role. You are a viewer.');
  }
  expect(screen.getByRole('menuitem', { name: 'Download' }).getAttribute('aria-disabled')).not.toBe('true');
  await user.keyboard('{Escape}');
  await user.click(screen.getByRole('checkbox', { name: 'Select apt29.json' }));
  const remove = await screen.findByRole('button', { name: 'Delete Selected (1)' });
  expect(remove.getAttribute('aria-disabled')).toBe('true');
  await user.click(remove);
  expect(screen.queryByRole('alertdialog')).toBeNull();
  act(() => remove.focus());
  expect((await screen.findByRole('tooltip')).textContent).toBe(
    'Requires the analyst role. You are a viewer.',
  );
});

describe('bulk delete', () => {
  it('selects a page with the head, over pages one by one, and deletes what is named', async () => {
    const files = many(12);
    const api = fakeApi({ files });
    const deleted = vi.fn<(body: unknown) => void>();
    server.use(
      answer(reports.deleteFiles, async ({ request }) => {
        const body = (await request.json()) as { ids: string[] };
        deleted(body);
        api.files = api.files.filter((file) => !body.ids.includes(file._id));
        return { success: true as const, deletedCount: body.ids.length, message: 'ok' };
      }),
    );
    const { user } = visit('/dashboard/reports');
    await rowOf('report-1.json');
    expect(screen.queryByRole('button', { name: /Delete Selected/u })).toBeNull();

    const head = screen.getByRole('checkbox', { name: 'Select all rows on this page' });
    await user.click(head);
    screen.getByRole('button', { name: 'Delete Selected (10)' });
    await user.click(screen.getByRole('checkbox', { name: 'Select report-4.json' }));
    expect(head.getAttribute('aria-checked')).toBe('mixed');
    await user.click(screen.getByRole('button', { name: 'Page 2' }));
    await user.click(await screen.findByRole('checkbox', { name: 'Select report-12.json' }));

    await user.click(screen.getByRole('button', { name: 'Delete Selected (10)' }));
    const dialog = await screen.findByRole('alertdialog', { name: 'Are you absolutely sure?' });
    within(dialog).getByText(/permanently delete 10 selected files/u);
    within(dialog).getByText('report-1.json');
    within(dialog).getByText('and 5 more');
    await user.click(within(dialog).getByRole('button', { name: 'Delete 10 files' }));
    await screen.findByText('Files deleted');
    await screen.findByText('10 files were removed.');
    const kept = new Set(['report-4.json', 'report-11.json']);
    expect(deleted).toHaveBeenCalledOnce();
    expect(deleted.mock.calls[0]?.[0]).toEqual({
      ids: files.filter((file) => !kept.has(file.originalFilename)).map((file) => file._id),
    });
    await rowOf('report-4.json');
    expect(screen.queryByRole('button', { name: /Delete Selected/u })).toBeNull();
  });

  it('selects everything that matches a search', async () => {
    fakeApi({ files: many(25) });
    const { user } = visit('/dashboard/reports');
    await rowOf('report-1.json');
    await user.click(screen.getByRole('checkbox', { name: 'Select all rows on this page' }));
    await user.click(screen.getByRole('button', { name: 'Select all 25 that match' }));
    expect(await screen.findByRole('button', { name: 'Delete Selected (25)' })).toBeTruthy();
  });

  it('asks the server to delete all that match, and tells the end of the job that becomes of it', async () => {
    fakeApi({ files: many(25) });
    const sent: unknown[] = [];
    const job = jobOf({
      kind: 'records.delete',
      state: 'succeeded',
      fileId: null,
      result: { matched: 600, changed: 600, unchanged: 0 },
    });
    server.use(
      answer(reports.deleteFiles, async ({ request }) => {
        sent.push(await request.json());
        return HttpResponse.json(
          { jobId: job._id, message: 'Deleting the files as a job.' },
          { status: 202 },
        );
      }),
    );
    const { user } = visit('/dashboard/reports?search=report&parseState=succeeded');
    await rowOf('report-1.json');
    await user.click(screen.getByRole('checkbox', { name: 'Select all rows on this page' }));
    await user.click(screen.getByRole('button', { name: /^Select all 25/u }));
    await user.click(screen.getByRole('button', { name: 'Delete Selected (25)' }));
    await user.click(await screen.findByRole('button', { name: 'Delete 25 files' }));
    await screen.findByText('Deleting the files as a job.');
    expect(sent).toEqual([{ filter: { search: 'report', parseState: ['succeeded'] } }]);
    act(() => void jobStore.apply(job));
    await screen.findByText('600 files were removed.');
  });

  it('keeps the selection when the server refuses', async () => {
    fakeApi({ files: many(2) });
    server.use(answer(reports.deleteFiles, () => refusal('unavailable')));
    const { user } = visit('/dashboard/reports');
    await user.click(await screen.findByRole('checkbox', { name: 'Select report-2.json' }));
    await user.click(screen.getByRole('button', { name: 'Delete Selected (1)' }));
    await user.click(await screen.findByRole('button', { name: 'Delete 1 file' }));
    await screen.findByText('Delete failed');
    expect(screen.getByRole('button', { name: 'Delete Selected (1)' })).toBeTruthy();
  });
});
