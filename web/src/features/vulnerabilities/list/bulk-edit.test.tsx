import { accounts, vulnerabilities, type Role } from '@riskboard/contract';
import { QueryClientProvider } from '@tanstack/react-query';
import { render, screen, waitFor, within } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { expect, it, vi } from 'vitest';
import { deletedRecords, markRestored } from '../../../lib/entity/deleted-records.ts';
import { createQueryClient } from '../../../lib/api/query-client.ts';
import { answer, refusal, server, useServer } from '../../../testing/server.ts';
import { userOf } from '../../../testing/rows.ts';
import type { Selected } from '../../../ui/list/use-selection.ts';
import { BulkActions } from '../../../ui/record/bulk-actions.tsx';
import { vulnerability } from '../vulnerability.ts';

useServer();

const ids = ['0199f000-0000-7000-8000-000000000001', '0199f000-0000-7000-8000-000000000002'];

function open({ role = 'analyst', ...change }: Partial<Selected> & { role?: Role } = {}) {
  const clear = vi.fn<Selected['clear']>(() => () => {});
  const sent: unknown[] = [];
  server.use(
    answer(accounts.me, () => ({ user: userOf({ role }) })),
    answer(vulnerabilities.updateMany, async ({ request }) => {
      sent.push(await request.json());
      return { success: true as const, updatedCount: 2, unchangedCount: 0, message: '2 changed.' };
    }),
  );
  render(
    <QueryClientProvider client={createQueryClient()}>
      <BulkActions
        entity={vulnerability}
        selected={{ count: 2, selection: { ids }, names: ['Log4Shell', 'Spring4Shell'], clear, ...change }}
      />
    </QueryClientProvider>,
  );
  return { user: userEvent.setup(), clear, sent };
}

async function choose(user: ReturnType<typeof open>['user'], name: string, option: string) {
  await user.click(await screen.findByRole('combobox', { name }));
  await user.click(await screen.findByRole('option', { name: option }));
}

it('a bulk edit names the selected records and sends only the chosen fields', async () => {
  const { user, clear, sent } = open();
  await user.click(screen.getByRole('button', { name: 'Edit Selected (2)' }));
  const dialog = await screen.findByRole('dialog', { name: 'Edit 2 vulnerabilities' });
  expect(dialog.textContent).toContain('Log4Shell, Spring4Shell.');
  const change = within(dialog).getByRole('button', { name: 'Change 2 vulnerabilities' });
  expect(dialog.textContent).toContain('This cannot be undone.');
  expect(change.getAttribute('aria-disabled')).toBe('true');
  expect(within(dialog).getByText('Choose what to change first.')).toBeDefined();
  await choose(user, 'Status', 'Mitigated');
  await choose(user, 'Category', 'Not set');
  await user.click(change);
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  expect(sent).toEqual([{ ids, change: { status: 'mitigated', categoryId: '' } }]);
  expect(clear).toHaveBeenCalledOnce();
});

it('the dialog opens with the focus on its first field', async () => {
  const { user } = open();
  await user.click(screen.getByRole('button', { name: 'Edit Selected (2)' }));
  const dialog = await screen.findByRole('dialog', { name: 'Edit 2 vulnerabilities' });
  const [first] = within(dialog).getAllByRole('combobox');
  await waitFor(() => expect(document.activeElement).toBe(first));
});

it('a bulk edit of many records counts those not named and announces a background job', async () => {
  const filter = { search: 'shell' };
  const { user, sent } = open({ count: 1200, selection: { filter } });
  await user.click(screen.getByRole('button', { name: 'Edit Selected (1,200)' }));
  const dialog = await screen.findByRole('dialog', { name: 'Edit 1,200 vulnerabilities' });
  expect(dialog.textContent).toContain('Log4Shell, Spring4Shell, 1,198 more.');
  expect(dialog.textContent).toContain('This many will be changed in the background.');
  await choose(user, 'Status', 'Fixed');
  await user.click(within(dialog).getByRole('button', { name: 'Change 1,200 vulnerabilities' }));
  await waitFor(() => expect(sent).toEqual([{ filter, change: { status: 'fixed' } }]));
});

it('a failed bulk edit keeps the chosen values; the next one starts empty', async () => {
  const { user, clear } = open();
  server.use(answer(vulnerabilities.updateMany, () => refusal('unavailable')));
  await user.click(screen.getByRole('button', { name: 'Edit Selected (2)' }));
  await choose(user, 'Status', 'Accepted');
  const change = screen.getByRole('button', { name: 'Change 2 vulnerabilities' });
  await user.click(change);
  await waitFor(() => expect(change.getAttribute('aria-busy')).toBeNull());
  expect(screen.getByRole('combobox', { name: 'Status' }).textContent).toBe('Accepted');
  expect(clear).not.toHaveBeenCalled();
  await user.click(screen.getByRole('button', { name: 'Cancel' }));
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  await user.click(screen.getByRole('button', { name: 'Edit Selected (2)' }));
  expect((await screen.findByRole('combobox', { name: 'Status' })).textContent).toBe('No change');
});

it('selected records that are deleted are marked as deleted in one step', async () => {
  const { user } = open();
  server.use(
    answer(vulnerabilities.deleteMany, () => ({
      success: true as const,
      deletedCount: 2,
      message: '2 vulnerabilities deleted.',
      ids,
    })),
  );
  const before = deletedRecords.get();
  let steps = 0;
  const end = deletedRecords.subscribe(() => {
    steps += 1;
  });
  await user.click(screen.getByRole('button', { name: 'Delete Selected (2)' }));
  await user.click(await screen.findByRole('button', { name: 'Delete 2 vulnerabilities' }));
  await waitFor(() => expect(deletedRecords.get()).toEqual(new Set([...before, ...ids])));
  end();
  expect(steps).toBe(1);
  markRestored(ids);
});

it('the bulk edit button is disabled for viewers, with the reason', async () => {
  const { user } = open({ role: 'viewer' });
  const button = () => screen.getByRole('button', { name: 'Edit Selected (2)' });
  await waitFor(() => expect(button().getAttribute('aria-disabled')).toBe('true'));
  await user.hover(button());
  expect(await screen.findByText('Requires the analyst role. You are a viewer.')).toBeDefined();
  await user.click(button());
  expect(screen.queryByRole('dialog')).toBeNull();
});
