import { accounts, activity, search, threats, vulnerabilities } from '@riskboard/contract';
import { screen, waitFor, within } from '@testing-library/react';
import type { UserEvent } from '@testing-library/user-event';
import { beforeEach, describe, expect, test } from 'vitest';
import { answerDashboard, answerSignedOut } from '../../testing/dashboard.ts';
import { stubSockets } from '../../testing/fake-socket.ts';
import { answerThreat, answerVulnerability } from '../../testing/record-api.ts';
import { threatDetailOf, vulnerabilityDetailOf } from '../../testing/records.ts';
import { visit } from '../../testing/render-app.tsx';
import { newId, threatOf, userOf } from '../../testing/rows.ts';
import { counted, refusal, useServer } from '../../testing/server.ts';

useServer();
beforeEach(() => {
  stubSockets();
  sessionStorage.clear();
  answerDashboard();
  counted(search.everywhere, () => ({ groups: [] }));
});

async function openPalette(user: UserEvent) {
  await user.keyboard('{Control>}k{/Control}');
  const box = await screen.findByRole('combobox', { name: 'Search pages, actions and records' });
  await waitFor(() => expect(document.activeElement).toBe(box));
}
const group = (name: RegExp) => screen.findByRole('group', { name });
const labels = async (name: RegExp) =>
  within(await group(name))
    .getAllByRole('option')
    .map((option) => option.textContent);

/** Types a command and runs it, by keyboard only. */
async function runCommand(user: UserEvent, typed: string, option: RegExp) {
  await openPalette(user);
  await user.keyboard(typed);
  await waitFor(() => {
    const active = screen.getAllByRole('option').find((one) => one.hasAttribute('data-highlighted'));
    expect(active?.textContent).toMatch(option);
  });
  await user.keyboard('{Enter}');
  await waitFor(() => expect(screen.queryByRole('combobox', { name: /Search pages/u })).toBeNull());
}

describe('on the page of a record, the palette', () => {
  const detail = vulnerabilityDetailOf({ name: 'Log4Shell', status: 'open' });

  async function openRecord() {
    answerVulnerability({ detail });
    const visited = visit(`/dashboard/vulnerabilities/${detail._id}`);
    await screen.findByRole('heading', { name: 'Log4Shell', level: 1 });
    return visited;
  }

  test('first offers what can be done with the record', async () => {
    const { user } = await openRecord();
    await openPalette(user);
    expect(screen.getAllByRole('group')[0]?.textContent).toContain('This record: Log4Shell');
    expect(await labels(/This record/u)).toEqual([
      'Calculate CWSS',
      'Edit vulnerability',
      'Change status to Mitigated',
      'Change status to Fixed',
      'Change status to Accepted',
      'Relate assets',
      'Copy link',
      'Copy ID',
      'Download vulnerability',
      'Delete vulnerability',
    ]);
  });

  test('changes the status by words in any order', async () => {
    const { user } = await openRecord();
    const sent: unknown[] = [];
    counted(vulnerabilities.update, async ({ request }) => {
      sent.push(await request.json());
      return { ...detail, status: 'fixed' as const };
    });
    await runCommand(user, 'fixed status', /Change status to Fixed/u);
    await waitFor(() => expect(sent).toEqual([{ status: 'fixed' }]));
    await screen.findByText('Status of “Log4Shell” changed to Fixed');
    expect(screen.getByRole('button', { name: 'Undo' })).toBeTruthy();
  });

  test('opens the form, copies the link and deletes the record', async () => {
    const { user, router } = await openRecord();
    await runCommand(user, 'copy link', /Copy link/u);
    await screen.findByText('Link copied');
    expect(await navigator.clipboard.readText()).toBe(
      `${location.origin}/dashboard/vulnerabilities/${detail._id}`,
    );
    const { _id } = detail;
    const deletion = counted(vulnerabilities.delete, () => ({ success: true as const, _id, id: _id }));
    counted(vulnerabilities.list, () => refusal('unavailable'));
    counted(vulnerabilities.metrics, () => refusal('unavailable'));
    await runCommand(user, 'delete', /Delete vulnerability/u);
    await waitFor(() => expect(router.state.location.pathname).toBe('/dashboard/vulnerabilities'));
    expect(deletion.times).toBe(1);
    await openPalette(user);
    expect(screen.queryByRole('group', { name: /This record|Recent/u })).toBeNull();
  });

  test('shows a viewer why the record cannot be changed', async () => {
    answerDashboard({ user: { role: 'viewer' } });
    const { user } = await openRecord();
    await openPalette(user);
    const edit = await screen.findByRole('option', { name: /Delete vulnerability/u });
    await waitFor(() => expect(edit.getAttribute('aria-disabled')).toBe('true'));
    expect(edit.textContent).toContain('Requires the analyst role. You are a viewer.');
    expect(screen.getByRole('option', { name: 'Copy ID' }).getAttribute('aria-disabled')).toBeNull();
  });
});

describe('with selected rows, the palette', () => {
  async function selectFirst() {
    const row = threatOf({ name: 'Night Pilots' });
    counted(threats.list, () => ({ threats: [row], total: 1, page: 1, pageSize: 50, nextCursor: null }));
    counted(threats.metrics, () => ({ total: 1, active: 1, critical: 0, high: 0 }));
    const visited = visit('/dashboard/threats');
    await visited.user.click(await screen.findByRole('checkbox', { name: /Night Pilots/u }));
    await screen.findByRole('button', { name: 'Edit Selected (1)' });
    return { ...visited, row };
  }

  test('first offers what can be done with them, and not without a selection', async () => {
    const { user } = await selectFirst();
    await openPalette(user);
    expect(screen.getAllByRole('group')[0]?.textContent).toContain('Selection: 1 row');
    expect((await labels(/Selection/u)).toSorted()).toEqual([
      'Clear selection',
      'Delete selected',
      'Edit selected',
      'Export selected as CSV',
      'Export selected as JSON',
    ]);
    await user.keyboard('{Escape}');
    await runCommand(user, 'clear', /Clear selection/u);
    await waitFor(() => expect(screen.queryByRole('button', { name: 'Edit Selected (1)' })).toBeNull());
    await openPalette(user);
    expect(screen.queryByRole('group', { name: /Selection/u })).toBeNull();
  });

  test('opens the confirmation of a deletion', async () => {
    const { user } = await selectFirst();
    await runCommand(user, 'selected delete', /Delete selected/u);
    const dialog = await screen.findByRole('alertdialog', { name: 'Delete 1 threat?' });
    await waitFor(() => expect(dialog.contains(document.activeElement)).toBe(true));
  });
});

describe('the recent records of the palette', () => {
  async function openThreat() {
    const detail = threatDetailOf({ name: 'Night Pilots' });
    answerThreat({ detail });
    const visited = visit(`/dashboard/threats/${detail._id}`);
    await screen.findByRole('heading', { name: 'Night Pilots', level: 1 });
    await visited.user.keyboard('gd');
    await screen.findByRole('heading', { name: 'Hello, Ada' });
    return { ...visited, detail };
  }

  test('are the records whose pages were open, but not the one that is open', async () => {
    const { user, router } = await openThreat();
    await openPalette(user);
    expect(await labels(/Recent/u)).toEqual(['Night PilotsThreats']);
    await user.click(screen.getByRole('option', { name: /Night Pilots/u }));
    await waitFor(() => expect(router.state.location.pathname).toMatch(/^\/dashboard\/threats\//u));
    await openPalette(user);
    expect(screen.queryByRole('group', { name: /Recent/u })).toBeNull();
  });

  test('have no record that another user deleted', async () => {
    const { user } = await openThreat();
    counted(threats.get, () => refusal('not_found'));
    await openPalette(user);
    await waitFor(() => expect(screen.queryByRole('group', { name: /Recent/u })).toBeNull());
    // It is not loaded again when the palette opens the next time.
    await waitFor(() => expect(Object.values(sessionStorage).join('')).not.toContain('Night Pilots'));
  });

  test('belong to one organization and are gone after a log-out', async () => {
    const { user, router } = await openThreat();
    expect(Object.keys(sessionStorage)).toHaveLength(1);
    expect(Object.keys(sessionStorage)[0]).toContain(userOf().organizationId);
    counted(accounts.logout, () => {
      answerSignedOut();
      return { success: true as const };
    });
    await runCommand(user, 'log out', /Log out/u);
    await waitFor(() => expect(router.state.location.pathname).toBe('/login'));
    await waitFor(() => expect(Object.keys(sessionStorage)).toEqual([]));
  });

  test('of another organization are not shown', async () => {
    const key = `riskboard.recent.${userOf()._id}.${newId()}`;
    sessionStorage.setItem(key, JSON.stringify([{ noun: 'threats', _id: newId(), title: 'Theirs' }]));
    counted(activity.list, () => refusal('unavailable'));
    const { user } = visit('/dashboard');
    await screen.findByRole('heading', { name: 'Hello, Ada' });
    await openPalette(user);
    expect(screen.queryByText('Theirs')).toBeNull();
  });
});
