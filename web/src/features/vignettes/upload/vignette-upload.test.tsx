import { vignettes } from '@riskboard/contract';
import { createEvent, fireEvent, screen, waitFor, within } from '@testing-library/react';
import { HttpResponse } from 'msw';
import { afterEach, describe, expect, it } from 'vitest';
import { fakeApi, pageOf } from '../../../testing/fake-api.ts';
import { visit } from '../../../testing/render-app.tsx';
import { newId } from '../../../testing/rows.ts';
import { answer, refusal, server, useServer } from '../../../testing/server.ts';
import { summaryOf } from '../../../testing/vignettes.ts';
import { uploads } from '../../reports/upload/transfer/upload-store.ts';
import { uploadDialog } from '../../reports/upload/upload-dialog-state.ts';
import { vignetteUpload } from './vignette-upload-state.ts';

useServer();

// Dialogs and uploads outlive pages, so they would leak into the next test.
afterEach(() => {
  vignetteUpload.set(null);
  uploadDialog.set(false);
  for (const { id: upload } of uploads.get().uploads) uploads.remove(upload);
});

const content = (name: string) => ({
  name,
  scorecard: [
    { impact: 'Modify data', layer: 'System', subscore: 9 },
    { impact: 'Read data', layer: 'Network', subscore: 3 },
  ],
});
const fileOf = (json: object, name = 'harbour.json') => new File([JSON.stringify(json)], name);
const id = newId();
const reply = {
  success: true as const,
  action: 'created' as const,
  _id: id,
  id,
  name: 'Harbour control',
  scorecardName: 'Cranes and locks',
  version: 1,
  warnings: [] as string[],
};

const isOff = (element: HTMLElement) => element.getAttribute('aria-disabled') === 'true';

/** The dialog, opened from the Data Upload menu. */
async function openDialog(existing: readonly string[] = []) {
  fakeApi();
  server.use(
    answer(vignettes.list, ({ url }) => {
      const { rows, ...page } = pageOf(
        existing.map((name) => summaryOf({ name })),
        url,
      );
      return { items: rows, ...page };
    }),
  );
  const view = visit('/dashboard/reports');
  await view.user.click(await screen.findByRole('button', { name: 'Data Upload' }));
  await view.user.click(await screen.findByRole('menuitem', { name: 'Upload Vignette' }));
  const dialog = within(await screen.findByRole('dialog', { name: 'Upload CWRAF Vignette' }));
  return {
    ...view,
    dialog,
    button: () => dialog.getByRole('button', { name: 'Upload' }),
    choose: (...files: File[]) => view.user.upload(dialog.getByLabelText('Vignette file'), files),
  };
}

describe('upload of a vignette', () => {
  it('is disabled without a chosen file, and sends it in the field vignetteFile', async () => {
    const bodies: string[] = [];
    const { user, button, choose } = await openDialog();
    server.use(
      answer(vignettes.upload, async ({ request }) => {
        bodies.push(await request.text());
        return reply;
      }),
    );
    expect(isOff(button())).toBe(true);
    await choose(fileOf(content('Harbour control')));
    expect(isOff(button())).toBe(false);
    await user.click(button());
    expect(await screen.findByText('Vignette created')).toBeDefined();
    expect(screen.getByText(`ID ${id} · Cranes and locks`)).toBeDefined();
    expect(bodies[0]).toContain('name="vignetteFile"; filename="harbour.json"');
    await waitFor(() => expect(screen.queryByRole('dialog', { name: 'Upload CWRAF Vignette' })).toBeNull());
  });

  it('says before and after that a name that exists becomes a new version', async () => {
    const { user, dialog, button, choose } = await openDialog(['harbour CONTROL', 'Harbour control 2']);
    server.use(answer(vignettes.upload, () => ({ ...reply, action: 'replaced' as const, version: 4 })));
    await choose(fileOf(content('Harbour control')));
    expect(
      await dialog.findByText(
        /If its content differs, the file becomes version 4; 12 scores become stale\./u,
      ),
    ).toBeDefined();
    expect(dialog.getByText('2 rated cells')).toBeDefined();
    await user.click(button());
    expect(await screen.findByText('Vignette replaced')).toBeDefined();
  });

  it('shows the warnings of the reply before it closes', async () => {
    const { user, dialog, button, choose } = await openDialog();
    server.use(answer(vignettes.upload, () => ({ ...reply, warnings: ['The field colour was ignored.'] })));
    await choose(fileOf(content('Harbour control')));
    await user.click(button());
    expect(await dialog.findByText('The field colour was ignored.')).toBeDefined();
    expect(dialog.getByRole('button', { name: 'View vignette' })).toBeDefined();
    expect(dialog.queryByRole('button', { name: 'Upload' })).toBeNull();
  });

  it('shows what is wrong where, the first problems and the number of the rest', async () => {
    const { user, dialog, button, choose } = await openDialog();
    const details = Array.from({ length: 11 }, (_, at) => ({
      path: `scorecard[${at}].impact`,
      message: `scorecard[${at}].impact is unknown.`,
    }));
    server.use(
      answer(vignettes.upload, () => refusal('invalid', 'scorecard[0].impact is unknown.', details)),
    );
    await choose(fileOf({ name: 'x' }));
    await user.click(button());
    const problems = within(await dialog.findByRole('alert', { name: 'Problems of the file' }));
    expect(problems.getByText('11 problems in the file')).toBeDefined();
    const items = problems.getAllByRole('listitem').map(({ textContent }) => textContent);
    expect(items).toHaveLength(9);
    expect(items[1]).toBe('scorecard[1].impact is unknown.');
    expect(items[8]).toBe('and 3 more problems');
    expect(await screen.findByText('Failed to upload vignette')).toBeDefined();
    expect(isOff(button())).toBe(false);
  });

  it.each([
    [
      'the server’s message',
      () => refusal('internal', 'Failed to upload vignette.'),
      'Failed to upload vignette.',
    ],
    ['a request to try again', () => new HttpResponse('<html>', { status: 502 }), 'Please try again.'],
    [
      'an unexpected response format',
      () => HttpResponse.json({ ok: true }, { status: 201 }),
      'Unexpected response format',
    ],
  ])('that fails shows %s', async (_, response, message) => {
    const { user, dialog, button, choose } = await openDialog();
    server.use(answer(vignettes.upload, response));
    await choose(fileOf(content('Harbour control')));
    await user.click(button());
    expect(await screen.findByText('Failed to upload vignette')).toBeDefined();
    expect(within(await dialog.findByRole('alert')).getByText(message)).toBeDefined();
  });

  it.each([
    ['another kind of file', [new File(['<a/>'], 'report.xml')], 'Choose a .json file.'],
    ['an empty file', [new File([], 'empty.json')], 'The file is empty.'],
    [
      'a file that is too large',
      [new File(['x'.repeat(1_048_577)], 'large.json')],
      'The file is larger than 1 MB.',
    ],
  ])('refuses %s', async (_, files, message) => {
    const { dialog, button, choose } = await openDialog();
    await choose(...files);
    expect(dialog.getByText(message)).toBeDefined();
    expect(isOff(button())).toBe(true);
  });

  it('takes one dropped file, and refuses several', async () => {
    const { dialog, button } = await openDialog();
    const zone = dialog.getByRole('region', { name: 'Choose a vignette' });
    const one = fileOf(content('Harbour control'));
    const drop = (...files: File[]) =>
      fireEvent(zone, createEvent.drop(zone, { dataTransfer: { files, items: [], types: ['Files'] } }));
    drop(one, fileOf(content('Other'), 'other.json'));
    expect(dialog.getByText('Choose one file.')).toBeDefined();
    drop(one);
    expect(dialog.getByText('harbour.json')).toBeDefined();
    expect(isOff(button())).toBe(false);
  });
});

describe('a file dropped on a page', () => {
  async function drop(file: File) {
    fakeApi();
    server.use(
      answer(vignettes.list, ({ url }) => {
        const { rows, ...page } = pageOf([], url);
        return { items: rows, ...page };
      }),
    );
    visit('/dashboard/reports');
    const heading = await screen.findByRole('heading', { name: 'All Uploaded Files' });
    await waitFor(() => {
      fireEvent.dragOver(heading, { dataTransfer: { files: [], items: [], types: ['Files'] } });
      expect(screen.getByText('Drop to upload reports or import a CSV file')).toBeDefined();
    });
    fireEvent(
      heading,
      createEvent.drop(heading, { dataTransfer: { files: [file], items: [], types: ['Files'] } }),
    );
  }

  it('opens the upload of vignettes with it when it is a vignette', async () => {
    await drop(fileOf(content('Harbour control')));
    const dialog = within(await screen.findByRole('dialog', { name: 'Upload CWRAF Vignette' }));
    expect(dialog.getByText('harbour.json')).toBeDefined();
    expect(screen.queryByRole('dialog', { name: 'Upload STIX/TAXII Report' })).toBeNull();
  });

  it('opens the upload of reports when it is another JSON file', async () => {
    await drop(fileOf({ type: 'bundle', objects: [] }, 'bundle.json'));
    expect(await screen.findByRole('dialog', { name: 'Upload STIX/TAXII Report' })).toBeDefined();
  });
});
