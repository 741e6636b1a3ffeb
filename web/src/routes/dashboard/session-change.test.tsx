import { ownerOf, reports, threats } from '@riskboard/contract';
import { act, screen, waitFor } from '@testing-library/react';
import type { UserEvent } from '@testing-library/user-event';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { uploadDialog } from '../../features/reports/upload/upload-dialog-state.ts';
import { uploads } from '../../features/reports/upload/transfer/upload-store.ts';
import { keptDraft } from '../../lib/session/kept-draft.ts';
import { answerDashboard } from '../../testing/dashboard.ts';
import { fakeApi, pageOf } from '../../testing/fake-api.ts';
import { compareSessions, grace, harbour } from '../../testing/other-session.ts';
import { threatDetailOf } from '../../testing/records.ts';
import { fill, visit } from '../../testing/render-app.tsx';
import { newId, threatOf, userOf } from '../../testing/rows.ts';
import { answer, server, useServer } from '../../testing/server.ts';
import { toastManager } from '../../ui/feedback/toast.ts';

useServer();
vi.setConfig({ testTimeout: 20_000 });

beforeEach(() => {
  answerDashboard();
  fakeApi();
});
afterEach(() => toastManager.close());

const closedByHarbour =
  'You switched to Harbour Authority in another tab. This tab showed Northwind Energy. What was open here was closed, and nothing of it was saved in Harbour Authority. Unsaved input of a form is restored when you open the form in Northwind Energy again.';
const newThreat = '/dashboard/threats/new';

/** An API with threats that compares sessions. */
function threatApi() {
  const rows = ['One', 'Two'].map((name) => threatOf({ name }));
  server.use(
    answer(threats.list, ({ url }) => {
      const { rows: shown, ...page } = pageOf(rows, url);
      return { threats: shown, ...page };
    }),
    answer(threats.metrics, () => ({ total: 2, active: 2, critical: 0, high: 0 })),
    answer(threats.create, () => threatDetailOf({})),
    answer(threats.deleteMany, () => ({ success: true as const, deletedCount: 2, message: 'Deleted.' })),
  );
  return compareSessions();
}

async function fillForm(user: UserEvent) {
  await fill(user, await screen.findByRole('textbox', { name: 'Name' }), 'Ransomware');
  await fill(user, screen.getByRole('textbox', { name: 'Description' }), 'Encrypts the disks.');
}

const draftOf = ({ _id: userId, organizationId }: { _id: string; organizationId: string }) =>
  keptDraft<{ name: string }>({ userId, organizationId }, newThreat)?.values.name;

describe('after another tab has switched the organization', () => {
  it('a form creates nothing there, is closed with the reason, and its input is kept for the earlier one', async () => {
    const api = threatApi();
    const { user, router } = visit(newThreat);
    await fillForm(user);
    api.become(harbour);
    await user.click(screen.getByRole('button', { name: 'Create' }));
    expect(await screen.findByText(closedByHarbour)).toBeDefined();
    expect(router.state.location.pathname).toBe('/dashboard');
    expect(screen.queryByRole('textbox', { name: 'Name' })).toBeNull();
    expect(api.writes()).toEqual([]);
    expect(draftOf(userOf())).toBe('Ransomware');
    expect(draftOf(userOf(harbour))).toBeUndefined();
    await user.click(screen.getByRole('button', { name: /Hello, Ada/u }));
    expect(screen.getAllByText('Harbour Authority')).not.toEqual([]);
  });

  it('a form that was not sent is closed too when any call is refused, and its input is kept', async () => {
    const api = threatApi();
    const { user, queryClient } = visit(newThreat);
    await fillForm(user);
    api.become(harbour);
    await act(() => queryClient.refetchQueries({ queryKey: ['alerts'] }));
    expect(await screen.findByText(closedByHarbour)).toBeDefined();
    expect(draftOf(userOf())).toBe('Ransomware');
    expect(api.writes()).toEqual([]);
  });

  it('a deletion of all selected rows deletes nothing there, and the selection is gone', async () => {
    const api = threatApi();
    const { user } = visit('/dashboard/threats');
    await screen.findByRole('checkbox', { name: 'Select One' });
    await user.click(screen.getByRole('checkbox', { name: 'Select all rows on this page' }));
    await user.click(await screen.findByRole('button', { name: 'Delete Selected (2)' }));
    api.become(harbour);
    await user.click(await screen.findByRole('button', { name: 'Delete 2 threats' }));
    expect(await screen.findByText(closedByHarbour)).toBeDefined();
    expect(api.writes()).toEqual([]);
    expect(screen.queryByText('Delete Selected (2)')).toBeNull();
  });

  it('the Undo of an earlier deletion is gone', async () => {
    const api = threatApi();
    const { user, queryClient } = visit('/dashboard/threats');
    await screen.findByRole('checkbox', { name: 'Select One' });
    await user.click(screen.getByRole('checkbox', { name: 'Select all rows on this page' }));
    await user.click(await screen.findByRole('button', { name: 'Delete Selected (2)' }));
    await user.click(await screen.findByRole('button', { name: 'Delete 2 threats' }));
    await screen.findByRole('button', { name: 'Undo' });
    api.become(harbour);
    await act(() => queryClient.refetchQueries({ queryKey: ['alerts'] }));
    await screen.findByText(closedByHarbour);
    await waitFor(() => expect(screen.queryByRole('button', { name: 'Undo' })).toBeNull());
  });

  it('calls of the page that opens name the other organization', async () => {
    const api = threatApi();
    const { user } = visit(newThreat);
    await fillForm(user);
    api.become(harbour);
    await user.click(screen.getByRole('button', { name: 'Create' }));
    await screen.findByText(closedByHarbour);
    const before = api.accepted.length;
    await user.click(screen.getByRole('link', { name: 'Threats' }));
    await screen.findByRole('checkbox', { name: 'Select One' });
    const later = api.accepted.slice(before).map(({ owner }) => owner);
    expect(new Set(later)).toEqual(new Set([ownerOf(userOf(harbour))]));
  });
});

describe('after another account has logged in in another tab', () => {
  it('a form creates nothing for it, and the input of the earlier account is not kept', async () => {
    const api = threatApi();
    const { user } = visit(newThreat);
    await fillForm(user);
    api.become(grace);
    await user.click(screen.getByRole('button', { name: 'Create' }));
    expect(
      await screen.findByText(
        /^grace@example\.org has logged in in another tab\. This tab showed Northwind Energy for ada@example\.org\./u,
      ),
    ).toBeDefined();
    expect(api.writes()).toEqual([]);
    expect(sessionStorage.getItem('riskboard.draft')).toBeNull();
  });
});

describe('uploads during a switch in another tab', () => {
  beforeEach(() => {
    vi.spyOn(Element.prototype, 'clientHeight', 'get').mockReturnValue(280);
  });
  afterEach(() => uploadDialog.set(false));

  it('stop with a message, and none of the files is sent to the other organization', async () => {
    const sent: (string | undefined)[] = [];
    const first = Promise.withResolvers<void>();
    server.use(
      answer(reports.upload, async ({ request }) => {
        sent.push(/filename="([^"]*)"/u.exec(await request.text())?.[1]);
        if (sent.length === 1) first.resolve();
        const id = newId();
        return {
          success: true as const,
          action: 'created' as const,
          _id: id,
          id,
          stixVersion: '2.1',
          jobId: id,
        };
      }),
    );
    const api = compareSessions();
    visit('/dashboard/reports');
    await screen.findByText('No files found.');
    const files = Array.from({ length: 9 }, (_, n) => new File(['{}'], `r-${n}.json`));
    act(() => uploads.add(files));
    const started = uploads.start([]);
    await first.promise;
    api.become(harbour);
    await started;
    expect(await screen.findByText(closedByHarbour)).toBeDefined();
    expect(await screen.findByText('Uploads stopped')).toBeDefined();
    const unsent = files.length - sent.length;
    expect(unsent).toBeGreaterThan(0);
    expect(
      screen.getByText(
        `${unsent} files were not uploaded, because this tab changed to another organization or account.`,
      ),
    ).toBeDefined();
    expect(uploads.get().uploads).toEqual([]);
    await waitFor(() =>
      expect(new Set(api.writes().map(({ owner }) => owner))).toEqual(new Set([ownerOf(userOf())])),
    );
  });
});
