import { accounts, batches, health, reports, type Job } from '@riskboard/contract';
import { act, createEvent, fireEvent, screen, waitFor, within } from '@testing-library/react';
import { HttpResponse } from 'msw';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { refuseFileDrops } from '../../../lib/browser/file-drop.ts';
import { jobStore, mostEnded } from '../../../lib/jobs/job-store.ts';
import { batchOf } from '../../../testing/batches.ts';
import { fakeApi } from '../../../testing/fake-api.ts';
import { fileOf, jobOf, newId, parseResultOf, userOf } from '../../../testing/rows.ts';
import { answer, refusal, server, useServer } from '../../../testing/server.ts';
import { visit } from '../../../testing/render-app.tsx';
import { uploadDialog } from './upload-dialog-state.ts';
import { uploads } from './transfer/upload-store.ts';

useServer();

// jsdom has no layout: without a height the virtual list renders no row.
beforeEach(() => {
  vi.spyOn(Element.prototype, 'clientHeight', 'get').mockReturnValue(280);
});

// Uploads outlive pages, so they would leak into the next test.
afterEach(() => {
  uploadDialog.set(false);
  uploads.cancelAll();
  jobStore.clear();
  for (const { id } of uploads.get().uploads) uploads.remove(id);
});

const report = (name: string, size = 20) => new File([' '.repeat(size)], name, { type: 'application/json' });

interface Accepted {
  action?: 'created' | 'replaced';
  /** Outcome of the parse; absent: the reports are not read yet. */
  read?: (name: string) => Partial<Job>;
}

const readable = (): Partial<Job> => ({ state: 'succeeded', result: parseResultOf({}) });

function acceptUploads({ action = 'created', read }: Accepted = {}) {
  const received: { url: URL; body: string }[] = [];
  const ids: string[] = [];
  const jobIds: string[] = [];
  server.use(
    answer(reports.upload, async ({ request, url }) => {
      const body = await request.text();
      received.push({ url, body });
      const id = newId();
      const jobId = newId();
      ids.push(id);
      jobIds.push(jobId);
      const name = /filename="([^"]*)"/u.exec(body)?.[1] ?? '';
      if (read !== undefined) jobStore.apply(jobOf({ _id: jobId, fileId: id, version: 9, ...read(name) }));
      return { success: true as const, action, _id: id, id, stixVersion: '2.1', jobId };
    }),
  );
  return { received, ids, jobIds };
}

function acceptBatches() {
  const opened: unknown[] = [];
  const closed: URL[] = [];
  const batch = batchOf();
  server.use(
    answer(batches.estimate, () => ({ seconds: 125, basedOn: 40 })),
    answer(batches.create, async ({ request }) => {
      opened.push(await request.json());
      return batch;
    }),
    answer(batches.close, ({ url }) => {
      closed.push(url);
      return batch;
    }),
  );
  return { opened, closed };
}

async function openDialog() {
  const view = visit('/dashboard/reports');
  await view.user.click(await screen.findByRole('button', { name: 'Data Upload' }));
  await view.user.click(await screen.findByRole('menuitem', { name: 'Upload STIX/TAXII' }));
  const dialog = await screen.findByRole('dialog', { name: 'Upload STIX/TAXII Report' });
  const choose = (...files: File[]) => view.user.upload(within(dialog).getByLabelText('Report files'), files);
  return { ...view, dialog, choose };
}

it('the dialog opens with the focus on Choose files', async () => {
  fakeApi();
  const { dialog } = await openDialog();
  const choose = within(dialog).getByRole('button', { name: 'Choose files' });
  await waitFor(() => expect(document.activeElement).toBe(choose));
});

describe('files dropped on a page', () => {
  const drop = (target: Element, files: File[]) => {
    const event = createEvent.drop(target, { dataTransfer: { files, items: [], types: ['Files'] } });
    fireEvent(target, event);
    return event;
  };

  it('open the upload dialog with them, and the browser does not navigate', async () => {
    fakeApi();
    visit('/dashboard/reports');
    const heading = await screen.findByRole('heading', { name: 'All Uploaded Files' });
    // Browsers repeat it while the files are over the page.
    await waitFor(() => {
      fireEvent.dragOver(heading, { dataTransfer: { files: [], items: [], types: ['Files'] } });
      expect(screen.getByText('Drop to upload reports or import a CSV file')).toBeDefined();
    });
    expect(drop(heading, [report('dropped.json')]).defaultPrevented).toBe(true);
    const dialog = within(await screen.findByRole('dialog', { name: 'Upload STIX/TAXII Report' }));
    await dialog.findByText('dropped.json');
    expect(screen.queryByText('Drop to upload reports or import a CSV file')).toBeNull();
  });

  it('say why a viewer cannot upload them', async () => {
    fakeApi();
    server.use(answer(accounts.me, () => ({ user: userOf({ role: 'viewer' }) })));
    visit('/dashboard/reports');
    drop(await screen.findByRole('heading', { name: 'All Uploaded Files' }), [report('dropped.json')]);
    const dialog = within(await screen.findByRole('dialog', { name: 'Upload STIX/TAXII Report' }));
    expect(await dialog.findByText('Requires the analyst role. You are a viewer.')).toBeTruthy();
  });

  it('with a CSV file among others say where CSV files are imported', async () => {
    fakeApi();
    visit('/dashboard/reports');
    const heading = await screen.findByRole('heading', { name: 'All Uploaded Files' });
    await waitFor(() => {
      fireEvent.dragOver(heading, { dataTransfer: { files: [], items: [], types: ['Files'] } });
      expect(screen.getByText('Drop to upload reports or import a CSV file')).toBeDefined();
    });
    drop(heading, [report('dropped.json'), report('findings.csv')]);
    const dialog = within(await screen.findByRole('dialog', { name: 'Upload STIX/TAXII Report' }));
    await dialog.findByText(/Import CSV files from the assets or vulnerabilities page\./u);
  });

  it('are added once when they are dropped on the drop zone of the dialog', async () => {
    fakeApi();
    const { dialog } = await openDialog();
    drop(within(dialog).getByRole('region', { name: 'Choose reports' }), [report('zone.json')]);
    await within(dialog).findByText('zone.json');
    expect(uploads.get().uploads).toHaveLength(1);
  });

  it('are refused where there is no upload, instead of replacing the page', () => {
    refuseFileDrops();
    expect(drop(document.body, [report('login.json')]).defaultPrevented).toBe(true);
    const text = createEvent.drop(document.body, { dataTransfer: { files: [], types: ['text/plain'] } });
    fireEvent(document.body, text);
    expect(text.defaultPrevented).toBe(false);
  });
});

describe('upload dialog', () => {
  it('uploads a chosen file with the selected extraction, and shows id and version', async () => {
    fakeApi();
    const { received, ids } = acceptUploads({ read: readable });
    const onUploaded = vi.fn<() => void>();
    window.addEventListener('stix:uploaded', onUploaded, { once: true });
    const { user, dialog, choose } = await openDialog();
    const button = within(dialog).getByRole('button', { name: 'Upload' });
    expect(button.getAttribute('aria-disabled')).toBe('true');

    await choose(report('apt29.json'));
    await user.click(within(dialog).getByRole('checkbox', { name: 'Vulnerabilities' }));
    await user.click(await within(dialog).findByRole('button', { name: 'Upload 1 file' }));
    await screen.findByText('STIX created');
    await screen.findByText(`ID ${ids[0]} · version 2.1`);
    expect(received[0]?.url.searchParams.get('extract')).toBe('threats');
    expect(received[0]?.body).toContain('name="stixFile"; filename="apt29.json"');
    expect(onUploaded).toHaveBeenCalledOnce();
  });

  it('shows the live progress of the parse after an upload', async () => {
    const api = fakeApi();
    const { ids } = acceptUploads();
    const { user, dialog, choose } = await openDialog();
    await choose(report('apt29.json'));
    await user.click(await within(dialog).findByRole('button', { name: 'Upload 1 file' }));
    await screen.findByText('STIX created');
    const job = jobOf({ fileId: ids[0] ?? null, state: 'running', fileName: 'apt29.json' });
    api.publish({
      type: 'job.updated',
      job: { ...job, progress: { phase: 'reading', done: 50, total: 100 } },
    });
    await within(dialog).findByText('Reading the file 50%');
    const result = parseResultOf({ objects: 10 });
    api.publish({
      type: 'job.updated',
      job: { ...job, state: 'succeeded', version: 2, result, finishedAt: job.createdAt },
    });
    expect(await within(dialog).findByText(/^Read 10 objects: 8 active records/u)).toBeTruthy();
  });

  it('shows the outcome of a report whose job was dropped in favor of many later ones', async () => {
    const api = fakeApi();
    const { ids, jobIds } = acceptUploads();
    const { user, dialog, choose } = await openDialog();
    await choose(report('apt29.json'));
    await user.click(await within(dialog).findByRole('button', { name: 'Upload 1 file' }));
    await screen.findByText('STIX created');
    const failed = jobOf({
      _id: jobIds[0] ?? '',
      fileId: ids[0] ?? null,
      state: 'failed',
      version: 3,
      error: { code: 'malformed', message: 'Line 3: no end.' },
    });
    api.jobs = [failed];
    act(() => {
      jobStore.apply(failed);
      for (let count = 0; count < mostEnded; count += 1) {
        jobStore.apply({ ...failed, _id: newId(), fileId: newId(), state: 'succeeded' });
      }
    });
    expect(jobStore.find(failed._id)).toBeUndefined();
    expect(await within(dialog).findByText('Line 3: no end.')).toBeTruthy();
  });

  it('says that a report was replaced by a later upload of the same name before it was read', async () => {
    fakeApi();
    const { ids, jobIds } = acceptUploads();
    const { user, dialog, choose } = await openDialog();
    await choose(report('apt29.json'));
    await user.click(await within(dialog).findByRole('button', { name: 'Upload 1 file' }));
    await screen.findByText('STIX created');
    const own = jobOf({ _id: jobIds[0] ?? '', fileId: ids[0] ?? null, state: 'cancelled', version: 3 });
    const later = { _id: newId(), createdAt: '2999-01-01T00:00:00.000Z', ...readable() };
    act(() => {
      jobStore.apply(own);
      jobStore.apply({ ...own, ...later });
    });
    expect(await within(dialog).findByText('Replaced by a later upload before it was read')).toBeTruthy();
  });

  it('refuses a file with a wrong extension before the upload, with the reason', async () => {
    fakeApi();
    const { dialog, choose } = await openDialog();
    await choose(new File(['%PDF'], 'notes.pdf'));
    await within(dialog).findByText('Not accepted: Only .json and .xml files are accepted.');
    within(dialog).getByText('1 not accepted');
    within(dialog).getByRole('button', { name: 'Remove not accepted' });
    expect(within(dialog).getByRole('button', { name: 'Upload' }).getAttribute('aria-disabled')).toBe('true');
  });

  it('asks once about all existing names, ignoring case, and replaces the files', async () => {
    fakeApi({
      files: [fileOf({ originalFilename: 'APT1.json' }), fileOf({ originalFilename: 'apt2.json' })],
    });
    const { received } = acceptUploads({ action: 'replaced', read: readable });
    const { user, dialog, choose } = await openDialog();
    await choose(report('apt1.json'), report('APT2.json'));
    await user.click(await within(dialog).findByRole('button', { name: 'Upload 2 files' }));
    const question = await screen.findByRole('dialog', { name: 'Overwrite existing file?' });
    within(question).getByText(/no longer contains are removed, unless a person edited them/u);
    const names = within(question).getByRole('region', { name: 'Files that already exist' });
    expect(
      within(names)
        .getAllByRole('listitem')
        .map(({ textContent }) => textContent),
    ).toEqual(['apt1.json', 'APT2.json']);
    expect(document.activeElement).toBe(within(question).getByRole('button', { name: 'Keep existing' }));
    within(question).getByRole('checkbox', {
      name: 'Apply to all 2 files that already exist',
      checked: true,
    });
    expect(received).toHaveLength(0);
    await user.click(within(question).getByRole('button', { name: 'Overwrite' }));
    await screen.findByText('2 replaced.');
    expect(received).toHaveLength(2);
  });

  it('keeps or replaces existing files one by one', async () => {
    fakeApi({ files: [fileOf({ originalFilename: 'a.json' }), fileOf({ originalFilename: 'b.json' })] });
    const { received } = acceptUploads({ action: 'replaced', read: readable });
    const { user, dialog, choose } = await openDialog();
    await choose(report('a.json'), report('b.json'));
    await user.click(await within(dialog).findByRole('button', { name: 'Upload 2 files' }));
    let question = await screen.findByRole('dialog', { name: 'Overwrite existing file?' });
    await user.click(within(question).getByRole('checkbox', { name: /Apply to all/u }));
    await user.click(within(question).getByRole('button', { name: 'Keep existing' }));
    question = await screen.findByRole('dialog', { name: 'Overwrite existing file?' });
    await within(question).findByText('b.json');
    await waitFor(() =>
      expect(document.activeElement).toBe(within(question).getByRole('button', { name: 'Keep existing' })),
    );
    await user.click(within(question).getByRole('button', { name: 'Overwrite' }));
    await screen.findByText('STIX replaced');
    expect(received).toHaveLength(1);
    expect(received[0]?.body).toContain('filename="b.json"');
    within(dialog).getByText('Kept the existing file');
    within(dialog).getByRole('link', { name: 'View report of a.json' });
  });

  it('uploads nothing when the check for existing names fails, and shows the error', async () => {
    fakeApi();
    const { received } = acceptUploads();
    const { user, dialog, choose } = await openDialog();
    await choose(report('a.json'));
    server.use(answer(reports.files, () => refusal('unavailable')));
    await user.click(await within(dialog).findByRole('button', { name: 'Upload 1 file' }));
    await screen.findByText('Upload check failed');
    await screen.findByText('Failed to check existing files');
    expect(received).toHaveLength(0);
  });

  it('shows why the server refused a file, without Retry, which would be refused again', async () => {
    fakeApi();
    server.use(answer(reports.upload, () => refusal('invalid', 'This is a MISP event, not STIX.')));
    const { user, dialog, choose } = await openDialog();
    await choose(report('misp.json'));
    await user.click(await within(dialog).findByRole('button', { name: 'Upload 1 file' }));
    await within(dialog).findByText('Failed to upload report: This is a MISP event, not STIX.');
    await screen.findByText('misp.json: This is a MISP event, not STIX.');
    expect(within(dialog).queryByRole('button', { name: /^Retry/u })).toBeNull();
  });

  it('uploads a file again on Retry after an error of the server', async () => {
    fakeApi();
    server.use(answer(reports.upload, () => refusal('internal', 'Something went wrong.')));
    const { user, dialog, choose } = await openDialog();
    await choose(report('a.json'));
    await user.click(await within(dialog).findByRole('button', { name: 'Upload 1 file' }));
    await within(dialog).findByText('Failed to upload report: Something went wrong.');
    acceptUploads({ read: readable });
    await user.click(within(dialog).getByRole('button', { name: 'Retry a.json' }));
    expect(await screen.findByText('STIX created')).toBeTruthy();
  });

  it('without a connection says so in the list and in the dock, and continues when the API answers again', async () => {
    fakeApi();
    let isUp = false;
    server.use(
      answer(reports.upload, () => HttpResponse.error()),
      answer(health.live, () => (isUp ? { live: true as const } : HttpResponse.error())),
    );
    const { user, dialog, choose } = await openDialog();
    await choose(report('a.json'), report('b.json'));
    await user.click(await within(dialog).findByRole('button', { name: 'Upload 2 files' }));
    const waiting = () => within(dialog).getAllByText('Waiting for the connection');
    await waitFor(() => expect(waiting()).toHaveLength(2));
    within(dialog).getByText('Waiting for the connection: 2 files are sent when it is back.');
    await user.click(within(dialog).getByRole('button', { name: 'Close' }));
    const dock = within(await screen.findByRole('region', { name: 'Uploads' }));
    dock.getByRole('heading', { name: 'Waiting for the connection' });
    dock.getByText('2 files left');

    acceptUploads({ read: readable });
    isUp = true;
    act(() => void window.dispatchEvent(new Event('online')));
    expect(await screen.findByText('2 created.')).toBeTruthy();
  });

  it('lists failures first, counts an unreadable report as not created, and links to every stored report', async () => {
    fakeApi();
    const broken: Partial<Job> = {
      state: 'failed',
      error: { code: 'malformed', message: 'Line 3: no end.' },
    };
    const { ids } = acceptUploads({ read: (name) => (name === 'broken.json' ? broken : readable()) });
    const { user, dialog, choose, router } = await openDialog();
    await choose(report('good.json'), report('broken.json'), new File(['%PDF'], 'notes.pdf'));
    await user.click(await within(dialog).findByRole('button', { name: 'Upload 2 files' }));
    await screen.findByText('Some reports could not be read');
    screen.getByText('1 created, 1 could not be read.');
    within(dialog).getByText('1 uploaded · 1 could not be read · 1 not accepted');
    const rows = within(dialog).getAllByRole('listitem');
    expect(rows.map(({ textContent }) => /^\w+\.(json|pdf)/u.exec(textContent)?.[0])).toEqual([
      'broken.json',
      'notes.pdf',
      'good.json',
    ]);
    await within(dialog).findByText('Could not be read: Line 3: no end.');
    const links = within(dialog).getAllByRole('link', { name: /^View report of/u });
    expect(links.map((link) => link.getAttribute('href'))).toEqual(
      [1, 0].map((index) => `/dashboard/reports/${ids[index]}`),
    );
    expect(within(dialog).queryByRole('button', { name: /^Retry/u })).toBeNull();
    await user.click(links[1] as HTMLElement);
    await waitFor(() => expect(router.state.location.pathname).toBe(`/dashboard/reports/${ids[0]}`));
    expect(uploadDialog.get()).toBe(false);
  });

  it('refuses files of at least the size that the server refused with 413', async () => {
    fakeApi();
    server.use(answer(reports.upload, () => refusal('too_large', 'The file is larger than 500 Bytes.')));
    const { user, dialog, choose } = await openDialog();
    await choose(report('large.json', 600));
    await user.click(await within(dialog).findByRole('button', { name: 'Upload 1 file' }));
    await within(dialog).findByText('Failed to upload report: The file is larger than 500 Bytes.');
    await choose(report('other.json', 700));
    expect(await within(dialog).findByText('Not accepted: The file is larger than 500 Bytes.')).toBeTruthy();
  });

  it('continues after the dialog is closed, shows progress in the dock, and warns before the tab is closed', async () => {
    fakeApi();
    let finish: (() => void) | undefined;
    server.use(
      answer(reports.upload, async () => {
        await new Promise<void>((resolve) => {
          finish = resolve;
        });
        const id = newId();
        const body = { success: true, action: 'created', _id: id, id, stixVersion: '2.1', jobId: id };
        return HttpResponse.json(body, { status: 201 });
      }),
    );
    const { user, dialog, choose } = await openDialog();
    await choose(report('slow.json'));
    await user.click(await within(dialog).findByRole('button', { name: 'Upload 1 file' }));
    await waitFor(() => expect(finish).toBeDefined());
    await user.click(within(dialog).getByRole('button', { name: 'Close' }));
    const dock = await screen.findByRole('region', { name: 'Uploads' });
    within(dock).getByText('1 file left');
    const leave = new Event('beforeunload', { cancelable: true });
    window.dispatchEvent(leave);
    expect(leave.defaultPrevented).toBe(true);

    finish?.();
    await screen.findByText('STIX created');
    await waitFor(() => expect(screen.queryByRole('region', { name: 'Uploads' })).toBeNull());
    const later = new Event('beforeunload', { cancelable: true });
    window.dispatchEvent(later);
    expect(later.defaultPrevented).toBe(false);
  });

  it('asks before a logout that stops it, and logs out on confirmation', async () => {
    fakeApi();
    const onLogout = vi.fn<() => void>();
    const { promise: received, resolve: end } = Promise.withResolvers<Response>();
    server.use(
      answer(reports.upload, () => received),
      answer(accounts.logout, () => {
        onLogout();
        return { success: true as const };
      }),
    );
    const { user, dialog, choose } = await openDialog();
    await choose(report('a.json'), report('b.json'));
    await user.click(await within(dialog).findByRole('button', { name: 'Upload 2 files' }));
    await within(dialog).findByText('2 files left');
    await user.click(within(dialog).getByRole('button', { name: 'Close' }));
    const logOut = async () => {
      await user.click(await screen.findByRole('button', { name: /Hello, Ada/u }));
      await user.click(await screen.findByRole('menuitem', { name: 'Log out' }));
      return within(await screen.findByRole('alertdialog', { name: 'Log out and stop the upload?' }));
    };
    const question = await logOut();
    question.getByText('2 files are not uploaded yet. Logging out stops the upload.');
    await user.click(question.getByRole('button', { name: 'Keep uploading' }));
    await waitFor(() => expect(screen.queryByRole('alertdialog')).toBeNull());
    expect(onLogout).not.toHaveBeenCalled();
    await user.click((await logOut()).getByRole('button', { name: 'Log out' }));
    await waitFor(() => expect(onLogout).toHaveBeenCalledOnce());
    // Otherwise the requests would outlive the test.
    end(refusal('internal'));
  });

  it('renders only the visible rows of a long list, and reports all uploads in one toast', async () => {
    fakeApi();
    acceptUploads({ read: readable });
    const { opened, closed } = acceptBatches();
    const { user, dialog, choose } = await openDialog();
    await choose(...Array.from({ length: 20 }, (_, n) => report(`r-${n}.json`)));
    expect(within(dialog).getAllByRole('listitem').length).toBeLessThan(15);
    const preview = within(within(dialog).getByRole('region', { name: 'Preview of the upload' }));
    await preview.findByText('About 2 min 05 s');
    preview.getByText('400 Bytes');
    await user.click(within(dialog).getByRole('button', { name: 'Upload 20 files' }));
    await screen.findByText('STIX reports uploaded');
    const name = expect.stringMatching(/^20 files, .* UTC$/u) as string;
    expect(opened).toEqual([{ name, files: 20, bytes: 400 }]);
    await waitFor(() => expect(closed).toHaveLength(1));
    within(dialog).getByRole('link', { name: 'View batch' });
    screen.getByText('20 created.');
    expect(screen.queryByText('STIX created')).toBeNull();
  });
});
