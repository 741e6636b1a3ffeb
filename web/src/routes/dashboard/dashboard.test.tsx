import { accounts, projects } from '@riskboard/contract';
import { screen, waitFor, within } from '@testing-library/react';
import { beforeEach, expect, test } from 'vitest';
import { answerDashboard, answerSignedOut } from '../../testing/dashboard.ts';
import { FakeSocket, stubSockets } from '../../testing/fake-socket.ts';
import { renderApp, setupUser } from '../../testing/render-app.tsx';
import { jobOf } from '../../testing/rows.ts';
import { counted, refusal, useServer } from '../../testing/server.ts';

useServer();
beforeEach(stubSockets);

test('the dashboard shows a greeting, the organization, and the latest reports with their totals', async () => {
  answerDashboard({ files: 2 });
  renderApp('/dashboard');
  expect(await screen.findByRole('heading', { name: 'Hello, Ada', level: 1 })).toBeDefined();
  expect(screen.getAllByText('Northwind Energy').length).toBeGreaterThan(0);
  expect(await screen.findByRole('link', { name: 'All 2 files, 4 KB' })).toBeDefined();
  expect(await screen.findAllByRole('link', { name: 'report.json' })).toHaveLength(2);
});

test('the navigation marks the current page, and a link skips the navigation', async () => {
  answerDashboard();
  renderApp('/dashboard');
  const main = await screen.findByRole('navigation', { name: 'Main' });
  const current = within(main)
    .getAllByRole('link')
    .filter((link) => link.getAttribute('aria-current') === 'page');
  expect(current.map((link) => link.textContent)).toEqual(['Projects']);
  await setupUser().tab();
  expect(document.activeElement?.textContent).toBe('Skip to content');
  expect(document.querySelector('#main')).not.toBeNull();
});

test('a section of the dashboard that fails to load can be retried, and the others are shown', async () => {
  answerDashboard();
  const failing = counted(projects.metrics, () => refusal('not_found'));
  renderApp('/dashboard');
  const alert = await screen.findByRole('alert');
  expect(alert.textContent).toContain('Failed to load metrics');
  expect(await screen.findByRole('link', { name: 'report.json' })).toBeDefined();
  answerDashboard();
  await setupUser().click(within(alert).getByRole('button', { name: 'Retry' }));
  await screen.findByRole('region', { name: 'Project metrics' });
  expect(failing.times).toBe(1);
});

test('jobs show the progress that arrives over the socket', async () => {
  answerDashboard();
  renderApp('/dashboard');
  const socket = await waitFor(() => {
    const [made] = FakeSocket.opened;
    if (made === undefined) throw new Error('No socket yet');
    return made;
  });
  const progress = { phase: 'reading', done: 40, total: 100 };
  const job = jobOf({ state: 'running', fileName: 'apt29.json', progress });
  socket.open({ type: 'hello' }, { type: 'snapshot', jobs: [job] });
  const jobs = screen.getByRole('region', { name: 'Background jobs' });
  await within(jobs).findByText('40%');
  expect(screen.getByText('Live')).toBeDefined();
  socket.receive({ type: 'job.updated', job: { ...job, version: 2, progress: { ...progress, done: 80 } } });
  await within(jobs).findByText('80%');
});

test('logging out opens the login page and clears all cached data', async () => {
  answerDashboard();
  counted(accounts.logout, () => {
    answerSignedOut();
    return { success: true as const };
  });
  const user = setupUser();
  const { router, queryClient } = renderApp('/dashboard');
  await user.click(await screen.findByRole('button', { name: /Hello, Ada/u }));
  await user.click(await screen.findByRole('menuitem', { name: 'Log out' }));
  expect(await screen.findByRole('button', { name: 'Log in' })).toBeDefined();
  expect(router.state.location.pathname).toBe('/login');
  await waitFor(() => expect(queryClient.getQueryCache().getAll()).toEqual([]));
});

test('an unknown URL shows "Page not found" with the navigation', async () => {
  answerDashboard();
  renderApp('/dashboard/nowhere');
  expect(await screen.findByRole('heading', { name: 'Page not found' })).toBeDefined();
  expect(await screen.findByRole('navigation', { name: 'Main' })).toBeDefined();
});

test('the theme can be switched and is stored', async () => {
  answerDashboard();
  const user = setupUser();
  renderApp('/dashboard');
  await user.click(await screen.findByRole('button', { name: 'Theme' }));
  await user.click(await screen.findByRole('menuitemradio', { name: 'Dark' }));
  expect(document.documentElement.dataset['theme']).toBe('dark');
  expect(localStorage.getItem('riskboard.theme')).toBe('dark');
  await user.click(await screen.findByRole('button', { name: 'Theme' }));
  await user.click(await screen.findByRole('menuitemradio', { name: 'System' }));
  expect(document.documentElement.dataset['theme']).toBeUndefined();
});
