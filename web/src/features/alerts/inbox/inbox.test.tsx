import { alerts } from '@riskboard/contract';
import { screen, waitFor, within } from '@testing-library/react';
import { expect, test } from 'vitest';
import { alertOf, alertsApi } from '../../../testing/alerts.ts';
import { visit } from '../../../testing/render-app.tsx';
import { newId } from '../../../testing/rows.ts';
import { answer, refusal, server, useServer } from '../../../testing/server.ts';

useServer();

/** Opens the panel below the button of the top bar. */
async function openPanel(user: ReturnType<typeof visit>['user'], name: string) {
  await user.click(await screen.findByRole('button', { name }));
  return within(await screen.findByRole('dialog', { name: 'Alerts' }));
}

test('the button in the top bar names the number of unread alerts, and changes with the event', async () => {
  const api = alertsApi();
  api.alerts = [alertOf(), alertOf({ read: true })];
  const { connected } = visit('/dashboard/settings/tokens');
  await screen.findByRole('button', { name: 'Alerts: 1 unread' });
  await connected();
  api.alerts = [alertOf(), ...api.alerts];
  api.publish({ type: 'alert.changed', count: 1, action: 'created', by: null } as never);
  await screen.findByRole('button', { name: 'Alerts: 2 unread' });
  api.alerts = [];
  api.publish({ type: 'alert.changed', count: 1, action: 'updated', by: null } as never);
  expect(await screen.findByRole('button', { name: 'Alerts' })).toBeTruthy();
});

test('a number that is not counted further is shown as 99+', async () => {
  alertsApi();
  server.use(answer(alerts.unread, () => ({ unread: 100 })));
  visit('/dashboard/settings/tokens');
  expect(await screen.findByRole('button', { name: 'Alerts: 99+ unread' })).toBeTruthy();
});

test('the panel lists the newest alerts with severity, description and a link to their rows', async () => {
  const api = alertsApi();
  api.alerts = [alertOf(), alertOf({ severity: 'medium', title: 'Import failed: a.json', read: true })];
  const { user } = visit('/dashboard/settings/tokens');
  const panel = await openPanel(user, 'Alerts: 1 unread');
  const [first, second] = await panel.findAllByRole('listitem');
  const unread = within(first as HTMLElement);
  unread.getByText('Critical');
  unread.getByText('Severity 10.');
  expect(
    unread.getByRole('link', { name: 'Unread: New critical vulnerability: Log4Shell' }).getAttribute('href'),
  ).toBe('/dashboard/vulnerabilities?severity=critical');
  within(second as HTMLElement).getByText('Medium');
  within(second as HTMLElement).getByRole('link', { name: 'Import failed: a.json' });
  expect(api.lists.at(-1)?.searchParams.get('pageSize')).toBe('8');
});

test('an alert of the panel opens its rows and is read then', async () => {
  const api = alertsApi();
  api.alerts = [alertOf({ link: '/dashboard/settings/organization' })];
  const { user, router } = visit('/dashboard/settings/tokens');
  const panel = await openPanel(user, 'Alerts: 1 unread');
  await user.click(await panel.findByRole('link', { name: /Log4Shell/u }));
  await waitFor(() => expect(router.state.location.pathname).toBe('/dashboard/settings/organization'));
  await screen.findByRole('button', { name: 'Alerts' });
  expect(api.reads).toEqual([{ ids: [api.alerts[0]?._id] }]);
  expect(screen.queryByRole('dialog', { name: 'Alerts' })).toBeNull();
});

test('all alerts up to the newest one that is shown are marked as read: a later one stays unread', async () => {
  const api = alertsApi();
  const [older, newest, later] = [alertOf(), alertOf(), alertOf({ title: 'A later one' })];
  api.alerts = [newest, older];
  const { user } = visit('/dashboard/settings/tokens');
  const panel = await openPanel(user, 'Alerts: 2 unread');
  await panel.findAllByRole('listitem');
  api.alerts = [later, ...api.alerts];
  await user.click(panel.getByRole('button', { name: 'Mark all as read' }));
  await screen.findByRole('button', { name: 'Alerts: 1 unread' });
  expect(api.reads).toEqual([{ all: true, until: newest._id }]);
});

test('alerts that could not be marked as read are unread again, with an error', async () => {
  const api = alertsApi();
  api.alerts = [alertOf()];
  server.use(answer(alerts.read, () => refusal('unavailable', 'The database is down.')));
  const { user } = visit('/dashboard/settings/tokens');
  const panel = await openPanel(user, 'Alerts: 1 unread');
  await user.click(await panel.findByRole('button', { name: 'Mark all as read' }));
  await screen.findByText('Failed to mark as read');
  await panel.findByRole('link', { name: /^Unread: /u });
  expect(screen.getByRole('button', { name: 'Alerts: 1 unread' })).toBeTruthy();
});

test('alerts that could not be marked as read are unread again when the list cannot be loaded either', async () => {
  const api = alertsApi();
  api.alerts = [alertOf()];
  const { user } = visit('/dashboard/settings/tokens');
  const panel = await openPanel(user, 'Alerts: 1 unread');
  await panel.findByRole('link', { name: /^Unread: /u });
  server.use(
    answer(alerts.read, () => refusal('unavailable')),
    answer(alerts.list, () => refusal('unavailable')),
  );
  await user.click(panel.getByRole('button', { name: 'Mark all as read' }));
  await screen.findByText('Failed to mark as read');
  expect(await panel.findByRole('link', { name: /^Unread: /u })).toBeDefined();
});

test('an empty panel and an empty page lead to the rules', async () => {
  alertsApi();
  const { user } = visit('/dashboard/alerts');
  await screen.findByText('No alerts yet.');
  const [link] = screen.getAllByRole('link', { name: 'Set up rules' });
  expect(link?.getAttribute('href')).toBe('/dashboard/settings/alerts');
  const panel = await openPanel(user, 'Alerts');
  expect((await panel.findByRole('link', { name: 'Set up rules' })).getAttribute('href')).toBe(
    '/dashboard/settings/alerts',
  );
});

test('alerts that could not be loaded are loaded again with Retry', async () => {
  const api = alertsApi();
  api.alerts = [alertOf({ read: true })];
  let fails = true;
  server.use(
    answer(alerts.list, () =>
      fails
        ? refusal('unavailable')
        : { alerts: api.alerts, total: 1, page: 1, pageSize: 8, nextCursor: null },
    ),
  );
  const { user } = visit('/dashboard/settings/tokens');
  const panel = await openPanel(user, 'Alerts');
  await panel.findByText('Failed to load alerts.');
  fails = false;
  await user.click(panel.getByRole('button', { name: 'Retry' }));
  expect(await panel.findByRole('link', { name: /Log4Shell/u })).toBeTruthy();
});

test('the page filters by kind, severity, read state and time', async () => {
  const api = alertsApi();
  api.alerts = [alertOf(), alertOf({ kind: 'import-failed', title: 'Import failed: a.json' })];
  visit('/dashboard/alerts?kind=import-failed&read=false&severity=critical&createdAtMin=2026-11-01');
  await screen.findByRole('link', { name: 'Unread: Import failed: a.json' });
  expect(screen.queryByRole('link', { name: /Log4Shell/u })).toBeNull();
  const query = api.lists.find(({ searchParams }) => searchParams.has('kind'))?.searchParams;
  expect(Object.fromEntries(query ?? [])).toMatchObject({
    kind: 'import-failed',
    read: 'false',
    severity: 'critical',
    createdAtMin: expect.stringMatching(/^2026-1[01]-/u) as unknown,
  });
});

test('selected alerts are marked as read, and the others stay unread', async () => {
  const api = alertsApi();
  api.alerts = [alertOf({ title: 'First' }), alertOf({ title: 'Second' })];
  const { user } = visit('/dashboard/alerts');
  await user.click(await screen.findByRole('checkbox', { name: /Second/u }));
  await user.click(await screen.findByRole('button', { name: 'Mark as read' }));
  await screen.findByRole('button', { name: 'Alerts: 1 unread' });
  await screen.findByRole('link', { name: 'Second' });
  screen.getByRole('link', { name: 'Unread: First' });
  expect(api.reads).toEqual([{ ids: [api.alerts[1]?._id] }]);
  await waitFor(() => expect(screen.queryByRole('button', { name: 'Mark as read' })).toBeNull());
});

test('all matching alerts are marked as read in batches of 100', async () => {
  const api = alertsApi();
  api.alerts = Array.from({ length: 120 }, () => alertOf());
  const { user } = visit('/dashboard/alerts');
  await waitFor(() => expect(screen.getAllByRole('checkbox').length).toBeGreaterThan(1));
  await user.click(screen.getByRole('checkbox', { name: 'Select all rows on this page' }));
  await user.click(await screen.findByRole('button', { name: 'Select all 120 matching rows' }));
  await user.click(await screen.findByRole('button', { name: 'Mark as read' }));
  await screen.findByRole('button', { name: 'Alerts' });
  expect(api.reads.map((body) => (body as { ids: string[] }).ids.length)).toEqual([100, 20]);
  // It looks for further ones before it ends: those of the next test otherwise.
  await waitFor(() => expect(screen.queryByRole('button', { name: 'Mark as read' })).toBeNull());
});

test('viewers read alerts and mark them as read for themselves', async () => {
  const api = alertsApi({ role: 'viewer' });
  api.alerts = [alertOf({ _id: newId() })];
  const { user } = visit('/dashboard/alerts');
  // It is disabled until the alerts and their number are known.
  const button = await waitFor(() => {
    const shown = screen.getByRole('button', { name: 'Mark all as read' });
    expect(shown.getAttribute('aria-disabled')).not.toBe('true');
    return shown;
  });
  await user.click(button);
  await screen.findByRole('button', { name: 'Alerts' });
  expect(api.reads).toHaveLength(1);
});
