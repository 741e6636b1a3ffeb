import { activity, threats, type ThreatDetail } from '@riskboard/contract';
import { screen, waitFor, within } from '@testing-library/react';
import type { UserEvent } from '@testing-library/user-event';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { fakeApi, pageOf } from '../../testing/fake-api.ts';
import { answerThreat } from '../../testing/record-api.ts';
import { threatDetailOf } from '../../testing/records.ts';
import { fill, visit } from '../../testing/render-app.tsx';
import { threatOf } from '../../testing/rows.ts';
import { answer, refusal, server, useServer } from '../../testing/server.ts';
import { toastManager } from '../../ui/feedback/toast.ts';

useServer();
vi.setConfig({ testTimeout: 20_000 });

let release = () => {};
afterEach(async () => {
  release();
  // What is being created is known to the whole window.
  await waitFor(() => {
    if (screen.queryByText('Creating…') !== null) throw new Error('A record is still being created.');
  });
  toastManager.close();
});

/** An API with threats, whose creations and deletions wait until the test lets them go on. */
function threatApi(names: readonly string[] = ['One', 'Two', 'Three']) {
  const api = fakeApi();
  const held = Promise.withResolvers<void>();
  release = held.resolve;
  const rows = names.map((name) => threatOf({ name, createdAt: '2026-01-01T00:00:00.000Z' }));
  const state = { rows, created: [] as ThreatDetail[], deleted: 0, refuse: false };
  const remove = (ids: readonly string[]) => {
    state.rows = state.rows.filter(({ _id }) => !ids.includes(_id));
  };
  server.use(
    answer(threats.list, ({ url }) => {
      const { rows: shown, ...page } = pageOf(state.rows, url);
      return { threats: shown, ...page };
    }),
    answer(threats.metrics, () => ({ total: 3, active: 3, critical: 0, high: 0 })),
    answer(threats.create, async ({ request }) => {
      const { name } = (await request.json()) as { name: string };
      await held.promise;
      if (state.refuse) {
        return refusal('invalid', 'Some fields are not valid.', [
          { path: 'threatID', message: 'This identifier is reserved.' },
        ]);
      }
      const detail = threatDetailOf({ name });
      state.created.push(detail);
      state.rows = [threatOf({ _id: detail._id, name, createdAt: new Date().toISOString() }), ...state.rows];
      return detail;
    }),
    answer(threats.delete, async ({ params }) => {
      await held.promise;
      if (state.refuse) return refusal('unavailable', 'The database is away.');
      const id = String(params['id']);
      remove([id]);
      return { success: true as const, _id: id, id };
    }),
    answer(threats.deleteMany, async ({ request }) => {
      const { ids } = (await request.json()) as { ids: string[] };
      await held.promise;
      if (state.refuse) return refusal('unavailable', 'The database is away.');
      remove(ids);
      return { success: true as const, deletedCount: ids.length, message: 'Deleted.', ids };
    }),
    answer(activity.list, () => ({
      activity: [],
      searchedSince: null,
      total: 0,
      page: 1,
      pageSize: 10,
      nextCursor: null,
    })),
  );
  return { ...api, state, ids: rows.map(({ _id }) => _id) };
}

const row = (name: string) => screen.getByRole('row', { name: new RegExp(name, 'u') });
const names = () =>
  screen
    .queryAllByRole('checkbox', { name: /^Select (?!all)/u })
    .map((box) => box.getAttribute('aria-label')?.replace('Select ', ''));
const focusedRow = () =>
  document.activeElement?.closest('tr')?.textContent ?? document.activeElement?.tagName;

async function submitNew(user: UserEvent, name: string) {
  await fill(user, await screen.findByRole('textbox', { name: 'Name' }), name);
  await fill(user, screen.getByRole('textbox', { name: 'Description' }), 'Encrypts the disks.');
  await user.click(screen.getByRole('button', { name: 'Create' }));
}

describe('creating a record', () => {
  it('shows it in the list at once, marked as being created, and then as a row with a toast that opens it', async () => {
    const { state } = threatApi();
    const { user, router } = visit('/dashboard/threats/new');
    await submitNew(user, 'Ransomware');
    await waitFor(() => expect(router.state.location.pathname).toBe('/dashboard/threats'));
    const pending = await screen.findByRole('row', { name: /Ransomware.*Creating/u });
    expect(pending.getAttribute('aria-busy')).toBe('true');
    expect(within(pending).queryByRole('link')).toBeNull();
    await waitFor(() => expect(names()).toEqual(['One', 'Two', 'Three']));
    release();
    expect(await screen.findByText('Threat created')).toBeDefined();
    await waitFor(() => expect(names()).toEqual(['Ransomware', 'One', 'Two', 'Three']));
    expect(screen.queryByText('Creating…')).toBeNull();
    expect(screen.getAllByRole('row', { name: /Ransomware/u })).toHaveLength(1);
    answerThreat({ detail: state.created[0] ?? threatDetailOf({}) });
    await user.click(screen.getByRole('button', { name: 'View' }));
    await waitFor(() =>
      expect(router.state.location.pathname).toBe(`/dashboard/threats/${state.created[0]?._id ?? ''}`),
    );
  });

  it('leads back to the form with its input and the messages at their fields when the server refuses it', async () => {
    const { state } = threatApi();
    state.refuse = true;
    const { user, router } = visit('/dashboard/threats/new');
    await fill(user, await screen.findByRole('textbox', { name: 'Threat ID' }), 'T1486');
    await submitNew(user, 'Ransomware');
    await screen.findByText('Creating…');
    release();
    const summary = await screen.findByRole('region', { name: 'There is a problem' });
    expect(router.state.location.pathname).toBe('/dashboard/threats/new');
    await waitFor(() => expect(document.activeElement).toBe(summary));
    expect(screen.getByText('Error: Failed to create threat. Please try again.')).toBeDefined();
    expect(screen.getByRole<HTMLInputElement>('textbox', { name: 'Name' }).value).toBe('Ransomware');
    const refused = screen.getByRole<HTMLInputElement>('textbox', { name: 'Threat ID' });
    expect(refused.value).toBe('T1486');
    expect(refused.getAttribute('aria-invalid')).toBe('true');
    // The input is unsaved again.
    await user.click(screen.getByRole('button', { name: 'Cancel' }));
    await user.click(await screen.findByRole('button', { name: 'Discard' }));
    await waitFor(() => expect(names()).toEqual(['One', 'Two', 'Three']));
    expect(screen.queryByText('Creating…')).toBeNull();
  });

  it('leaves a user who has gone on to other work there, with the way back in the toast', async () => {
    const { state } = threatApi();
    state.refuse = true;
    const { user, router } = visit('/dashboard/threats/new');
    await submitNew(user, 'Ransomware');
    await screen.findByText('Creating…');
    await router.navigate({ to: '/dashboard/jobs' });
    release();
    const back = await screen.findByRole('button', { name: 'Back to the form' });
    expect(router.state.location.pathname).toBe('/dashboard/jobs');
    await user.click(back);
    await waitFor(() => expect(router.state.location.pathname).toBe('/dashboard/threats/new'));
    expect((await screen.findByRole<HTMLInputElement>('textbox', { name: 'Name' })).value).toBe('Ransomware');
  });

  it('Back right after Create leads past the form of the record that exists', async () => {
    threatApi();
    const { user, router } = visit('/dashboard/jobs');
    await router.navigate({ to: '/dashboard/threats/new' });
    await submitNew(user, 'Ransomware');
    await screen.findByText('Creating…');
    router.history.back();
    await waitFor(() => expect(router.state.location.pathname).toBe('/dashboard/jobs'));
  });

  it('shows the record once when a live event loads it before the reply arrives', async () => {
    const { publish, state } = threatApi();
    const { user } = visit('/dashboard/threats/new');
    await submitNew(user, 'Ransomware');
    await screen.findByText('Creating…');
    state.rows = [threatOf({ name: 'Ransomware', createdAt: new Date().toISOString() }), ...state.rows];
    publish({ type: 'threat.changed', count: 1, action: 'created', by: null });
    await waitFor(() => expect(names()).toEqual(['Ransomware', 'One', 'Two', 'Three']));
    expect(screen.getAllByRole('row', { name: /Ransomware/u })).toHaveLength(1);
  });

  it('warns before the window closes while the record is being sent', async () => {
    threatApi();
    const { user } = visit('/dashboard/threats/new');
    await submitNew(user, 'Ransomware');
    await screen.findByText('Creating…');
    const isWarned = () => !window.dispatchEvent(new Event('beforeunload', { cancelable: true }));
    expect(isWarned()).toBe(true);
    release();
    await screen.findByText('Threat created');
    await waitFor(() => expect(isWarned()).toBe(false));
  });
});

describe('deleting a record from its page', () => {
  async function open(change: { refuse?: boolean } = {}) {
    const api = threatApi();
    api.state.refuse = change.refuse ?? false;
    const id = api.ids[1] ?? '';
    answerThreat({ detail: threatDetailOf({ _id: id, name: 'Two' }) });
    const { user, router } = visit('/dashboard/threats');
    await waitFor(() => expect(names()).toHaveLength(3));
    await router.navigate({ to: '/dashboard/threats/$id', params: { id } });
    await screen.findByRole('heading', { name: 'Two', level: 1 });
    await user.click(screen.getByRole('button', { name: 'Delete' }));
    await waitFor(() => expect(router.state.location.pathname).toBe('/dashboard/threats'));
    return { ...api, user, router };
  }

  it('leads to the list at once without the row, and the focus is on the next row', async () => {
    const { publish } = await open();
    await waitFor(() => expect(names()).toEqual(['One', 'Three']));
    await waitFor(() => expect(focusedRow()).toContain('Three'));
    // The server still has it: what the list loads meanwhile does not bring it to the screen.
    publish({ type: 'threat.changed', count: 1, action: 'updated', by: null });
    await waitFor(() => expect(names()).toEqual(['One', 'Three']));
    release();
    expect(await screen.findByText('Threat deleted')).toBeDefined();
    expect(screen.getByText('Deleted “Two”.')).toBeDefined();
    expect(screen.getByRole('button', { name: 'Undo' })).toBeDefined();
    expect(names()).toEqual(['One', 'Three']);
  });

  it('shows the row again with the reason when the server refuses it', async () => {
    await open({ refuse: true });
    await waitFor(() => expect(names()).toEqual(['One', 'Three']));
    release();
    expect(await screen.findByText('Error: Failed to delete threat. Please try again.')).toBeDefined();
    await waitFor(() => expect(names()).toEqual(['One', 'Two', 'Three']));
  });

  it('counts as done when the record was deleted in another tab first', async () => {
    const { state, ids } = await open();
    server.use(
      answer(threats.delete, () => {
        state.rows = state.rows.filter(({ _id }) => _id !== ids[1]);
        return refusal('not_found');
      }),
    );
    release();
    expect(await screen.findByText('Threat deleted')).toBeDefined();
    expect(names()).toEqual(['One', 'Three']);
  });
});

it('after a bulk edit the focus is on the first row that was selected', async () => {
  threatApi();
  server.use(
    answer(threats.updateMany, () => ({
      success: true as const,
      updatedCount: 2,
      unchangedCount: 0,
      message: '2 changed.',
    })),
  );
  const { user } = visit('/dashboard/threats');
  await waitFor(() => expect(names()).toHaveLength(3));
  await user.click(screen.getByRole('checkbox', { name: 'Select Two' }));
  await user.click(screen.getByRole('checkbox', { name: 'Select Three' }));
  await user.click(await screen.findByRole('button', { name: 'Edit Selected (2)' }));
  const edit = within(await screen.findByRole('dialog', { name: 'Edit 2 threats' }));
  await user.click(edit.getAllByRole('combobox')[0] as HTMLElement);
  await user.click((await screen.findAllByRole('option')).at(-1) as HTMLElement);
  await user.click(screen.getByRole('button', { name: 'Change 2 threats' }));
  await screen.findByText('2 changed.');
  await waitFor(() => expect(focusedRow()).toContain('Two'));
});

describe('the focus after rows are deleted', () => {
  async function deleteByMenu(user: UserEvent, name: string) {
    screen.getByRole('button', { name: `Actions for ${name}` }).focus();
    await user.keyboard('{Enter}');
    await screen.findByRole('menuitem', { name: 'Delete' });
    await user.keyboard('{End}{Enter}');
  }

  it('moves to the next row, from the last row to the previous one, and from the only row to the empty state', async () => {
    threatApi();
    release();
    const { user } = visit('/dashboard/reports/threats');
    await waitFor(() => expect(names()).toHaveLength(3));
    await deleteByMenu(user, 'Two');
    await waitFor(() => expect(focusedRow()).toContain('Three'));
    await deleteByMenu(user, 'Three');
    await waitFor(() => expect(focusedRow()).toContain('One'));
    await deleteByMenu(user, 'One');
    await waitFor(() => expect(document.activeElement?.textContent).toContain('No threat data found.'));
  });

  it('moves to the row after selected ones; a failure shows them again, still selected', async () => {
    const { state } = threatApi(['One', 'Two', 'Three', 'Four']);
    state.refuse = true;
    const { user } = visit('/dashboard/threats');
    await waitFor(() => expect(names()).toHaveLength(4));
    await user.click(screen.getByRole('checkbox', { name: 'Select Two' }));
    await user.click(screen.getByRole('checkbox', { name: 'Select Three' }));
    await user.click(await screen.findByRole('button', { name: 'Delete Selected (2)' }));
    await user.click(await screen.findByRole('button', { name: 'Delete 2 threats' }));
    // At once: the server has not answered.
    await waitFor(() => expect(names()).toEqual(['One', 'Four']));
    await waitFor(() => expect(screen.queryByRole('alertdialog')).toBeNull());
    await waitFor(() => expect(focusedRow()).toContain('Four'));
    release();
    expect(await screen.findByText('Error: Failed to delete threats. Please try again.')).toBeDefined();
    await waitFor(() => expect(names()).toEqual(['One', 'Two', 'Three', 'Four']));
    expect(row('Two').getAttribute('aria-selected')).toBe('true');
    expect(screen.getByText('2 selected')).toBeDefined();
  });
});
