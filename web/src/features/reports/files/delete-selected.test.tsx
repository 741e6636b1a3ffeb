import { reports } from '@riskboard/contract';
import { act, screen, within } from '@testing-library/react';
import { HttpResponse } from 'msw';
import { describe, expect, it, vi } from 'vitest';
import { jobStore } from '../../../lib/jobs/job-store.ts';
import { fakeApi } from '../../../testing/fake-api.ts';
import { visit } from '../../../testing/render-app.tsx';
import { fileOf, jobOf } from '../../../testing/rows.ts';
import { answer, refusal, server, useServer } from '../../../testing/server.ts';
import { stateOfCheckbox } from '../../../testing/checkbox.ts';

useServer();

const rowOf = (name: string) => screen.findByRole('row', { name: new RegExp(name, 'u') });

const many = (count: number) =>
  Array.from({ length: count }, (_, n) => fileOf({ originalFilename: `report-${n + 1}.json` }));

describe('bulk delete of uploaded files', () => {
  it('selects a page by the header checkbox and rows on other pages, and deletes those files', async () => {
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
    expect(stateOfCheckbox(head)).toBe('mixed');
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
    await user.click(screen.getByRole('button', { name: 'Select all 25 matching rows' }));
    expect(await screen.findByRole('button', { name: 'Delete Selected (25)' })).toBeTruthy();
  });

  it('deletes all files that match the filter as a job, and shows its outcome', async () => {
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
          { jobId: job._id, message: 'Deleting the files in the background.' },
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
    await screen.findByText('Deleting the files in the background.');
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
