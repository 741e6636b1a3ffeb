import { accounts, reports } from '@riskboard/contract';
import { act, screen, waitFor, within } from '@testing-library/react';
import { HttpResponse } from 'msw';
import { describe, expect, it, vi } from 'vitest';
import { fakeApi } from '../../testing/fake-api.ts';
import { visit } from '../../testing/render-app.tsx';
import { extractResultOf, fileOf, jobOf, userOf } from '../../testing/rows.ts';
import { accepted, answer, refusal, server, useServer } from '../../testing/server.ts';

useServer();

describe('row menu of an uploaded file', () => {
  async function openMenu(name: string) {
    const view = visit('/dashboard/reports');
    await view.user.click(await screen.findByRole('button', { name: `Actions for ${name}` }));
    await screen.findByRole('menu');
    return view;
  }

  it('extracts after a confirmation, and shows the number of records', async () => {
    const file = fileOf({ originalFilename: 'apt29.json' });
    fakeApi({ files: [file] });
    const received = vi.fn<(body: unknown) => void>();
    server.use(
      answer(reports.extractVulnerability, async ({ request }) => {
        received(await request.json());
        return { result: extractResultOf({ created: 3 }), message: 'Done' };
      }),
    );
    const { user } = await openMenu('apt29.json');
    await user.click(screen.getByRole('menuitem', { name: 'Extract vulnerability data' }));
    const dialog = await screen.findByRole('alertdialog');
    within(dialog).getByText(
      'This will extract vulnerabilities from apt29.json. This process may take a few moments.',
    );
    expect(received).not.toHaveBeenCalled();
    await user.click(within(dialog).getByRole('button', { name: 'Extract' }));
    await screen.findByText('Vulnerabilities extracted');
    await screen.findByText('3 were extracted from the file.');
    expect(received).toHaveBeenCalledWith({ id: file._id });
  });

  it('waits for a longer extraction, and shows counts when there are no new records', async () => {
    const file = fileOf({ originalFilename: 'apt29.json' });
    const job = jobOf({ kind: 'stix.extract', fileId: file._id });
    const api = fakeApi({ files: [file] });
    server.use(answer(reports.extractThreat, () => accepted(job._id)));
    const { user } = await openMenu('apt29.json');
    await user.click(screen.getByRole('menuitem', { name: 'Extract threat data' }));
    await user.click(await screen.findByRole('button', { name: 'Extract' }));
    const result = extractResultOf({ created: 0, updated: 1, unchanged: 3, skipped: 1, records: 5 });
    await waitFor(() => expect(screen.queryByRole('alertdialog')).toBeNull());
    api.publish({ type: 'job.updated', job: { ...job, state: 'succeeded', version: 5, result } });
    await screen.findByText('Threats extracted');
    await screen.findByText(
      '0 were extracted from the file: 1 updated, 3 unchanged, 1 skipped of 5 records.',
    );
  });

  it('shows why an extraction failed', async () => {
    fakeApi({ files: [fileOf({ originalFilename: 'apt29.json' })] });
    server.use(answer(reports.extractBoth, () => refusal('conflict', 'The report is being replaced.')));
    const { user } = await openMenu('apt29.json');
    await user.click(screen.getByRole('menuitem', { name: 'Extract both' }));
    await user.click(await screen.findByRole('button', { name: 'Extract' }));
    await screen.findByText('Extraction failed');
    expect(await screen.findByText('The report is being replaced.')).toBeTruthy();
  });

  it('disables extraction from a report that could not be parsed', async () => {
    fakeApi({
      files: [fileOf({ originalFilename: 'torn.xml', parseState: 'failed', parseError: 'Line 3: no end.' })],
    });
    await openMenu('torn.xml');
    screen.getByText('Line 3: no end.');
    const item = screen.getByRole('menuitem', { name: /Extract threat data/u });
    expect(item.getAttribute('aria-disabled')).toBe('true');
    within(item).getByText('The report could not be read.');
  });

  it('deletes after a confirmation, and shows the server message when that fails', async () => {
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

  it('says that a large file is deleted in the background', async () => {
    fakeApi({ files: [fileOf({ originalFilename: 'apt29.json' })] });
    const jobId = '019a0000-0000-7000-8000-0000000000aa';
    server.use(answer(reports.deleteFile, () => accepted(jobId)));
    const { user } = await openMenu('apt29.json');
    await user.click(screen.getByRole('menuitem', { name: 'Delete' }));
    await user.click(await screen.findByRole('button', { name: 'Delete' }));
    await screen.findByText('Deleting in the background');
    expect(await screen.findByText('Started')).toBeTruthy();
  });

  it('moves the focus to the next row after a deletion', async () => {
    const files = ['apt28.json', 'apt29.json', 'apt30.json'].map((originalFilename) =>
      fileOf({ originalFilename }),
    );
    const api = fakeApi({ files });
    server.use(
      answer(reports.deleteFile, ({ params }) => {
        const id = String(params['id']);
        api.files = api.files.filter((file) => file._id !== id);
        return { success: true as const, _id: id, id };
      }),
    );
    const { user } = await openMenu('apt29.json');
    await user.click(screen.getByRole('menuitem', { name: 'Delete' }));
    await user.click(await screen.findByRole('button', { name: 'Delete' }));
    await screen.findByText('File deleted');
    await waitFor(() => expect(document.activeElement?.textContent).toContain('apt30.json'));
    expect(document.activeElement?.tagName).toBe('TR');
  });

  it('downloads the content as pretty-printed JSON under the name with .json', async () => {
    const saved: { name: string; content: Blob }[] = [];
    // jsdom implements neither.
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
    const reply =
      '{"objects":{"content":1},"content":{"type":"bundle","x_id":12345678901234567890,"objects":[]}}';
    const headers = { 'content-type': 'application/json' };
    server.use(answer(reports.file, () => new HttpResponse(reply, { headers })));
    const { user } = await openMenu('apt1.xml');
    await user.click(screen.getByRole('menuitem', { name: 'Download' }));
    await screen.findByText('Download started');
    expect(saved[0]?.name).toBe('apt1.xml.json');
    expect(await saved[0]?.content.text()).toBe(
      '{\n  "type": "bundle",\n  "x_id": 12345678901234567890,\n  "objects": []\n}',
    );
  });

  it('shows that a download failed', async () => {
    fakeApi({ files: [fileOf({ originalFilename: 'apt1.xml' })] });
    server.use(answer(reports.file, () => refusal('not_found', 'The file no longer exists.')));
    const { user } = await openMenu('apt1.xml');
    await user.click(screen.getByRole('menuitem', { name: 'Download' }));
    await screen.findByText('Download failed');
    expect(await screen.findByText('The file no longer exists.')).toBeTruthy();
  });
});

it('the item that leads to the page of the report says that it opens it', async () => {
  const file = fileOf({ originalFilename: 'apt29.json' });
  fakeApi({ files: [file] });
  server.use(answer(reports.importReport, () => refusal('not_found')));
  const { user, router } = visit('/dashboard/reports');
  await user.click(await screen.findByRole('button', { name: 'Actions for apt29.json' }));
  await user.click(await screen.findByRole('menuitem', { name: 'Open import report' }));
  await waitFor(() => expect(router.state.location.pathname).toBe(`/dashboard/reports/${file._id}`));
});

it('a viewer can download a file; other actions are disabled with the reason', async () => {
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
