import { vulnerabilities } from '@riskboard/contract';
import { act, screen, waitFor } from '@testing-library/react';
import { beforeEach, expect, it, vi } from 'vitest';
import { fakeApi, pageOf } from '../../testing/fake-api.ts';
import { answerVulnerability } from '../../testing/record-api.ts';
import { vulnerabilityDetailOf } from '../../testing/records.ts';
import { visit } from '../../testing/render-app.tsx';
import { vulnerabilityOf } from '../../testing/rows.ts';
import { answer, server, useServer } from '../../testing/server.ts';

useServer();

const row = vulnerabilityOf({ name: 'Log4Shell' });

beforeEach(() => {
  fakeApi();
  server.use(
    answer(vulnerabilities.metrics, () => ({
      total: 1,
      open: 1,
      critical: 0,
      high: 0,
      fixed: 0,
      new: 0,
      averageCvss: null,
    })),
    answer(vulnerabilities.list, ({ url }) => {
      const { rows, ...page } = pageOf([row], url);
      return { vulnerabilities: rows, ...page };
    }),
  );
  answerVulnerability({ detail: vulnerabilityDetailOf({ _id: row._id, name: 'Log4Shell' }) });
});

const link = () => screen.findByRole('link', { name: 'Log4Shell' });
const focused = () => document.activeElement;

it('moves the focus to a new page and announces it, and Back returns the focus to the link', async () => {
  const { user, router } = visit('/dashboard/vulnerabilities');
  (await link()).focus();
  await user.keyboard('{Enter}');
  await screen.findByRole('heading', { name: 'Log4Shell', level: 1 });
  await waitFor(() => expect(focused()).toBe(screen.getByRole('main')));
  const announced = await screen.findByText('Log4Shell · Riskboard', { selector: 'p' });
  expect(announced.getAttribute('aria-live')).toBe('polite');
  const scrolled = vi.spyOn(Element.prototype, 'scrollIntoView');
  act(() => router.history.back());
  const followed = await link();
  await waitFor(() => expect(focused()).toBe(followed));
  expect(scrolled.mock.contexts).toContain(followed);
  await screen.findByText('Vulnerabilities · Riskboard', { selector: 'p' });
});

it('Back moves the focus to the page when the link is no longer on it', async () => {
  const { user, router, queryClient } = visit('/dashboard/vulnerabilities');
  (await link()).focus();
  await user.keyboard('{Enter}');
  await screen.findByRole('heading', { name: 'Log4Shell', level: 1 });
  server.use(
    answer(vulnerabilities.list, ({ url }) => {
      const { rows, ...page } = pageOf<typeof row>([], url);
      return { vulnerabilities: rows, ...page };
    }),
  );
  queryClient.removeQueries({ queryKey: ['vulnerabilities', 'list'] });
  act(() => router.history.back());
  await screen.findByRole('heading', { name: 'Vulnerabilities', level: 1 });
  await waitFor(() => expect(focused()).toBe(screen.getByRole('main')));
});

it('moves the focus from the navigation to the page', async () => {
  const { user } = visit('/dashboard/vulnerabilities');
  await link();
  await user.click(screen.getAllByRole('link', { name: 'Jobs' })[0] ?? expect.fail('No link.'));
  await screen.findByRole('heading', { name: 'Jobs', level: 1 });
  await waitFor(() => expect(focused()).toBe(screen.getByRole('main')));
});

it('leaves the focus of the first page, and of a page whose search changes', async () => {
  const { router } = visit('/dashboard/vulnerabilities');
  await link();
  expect(focused()).toBe(document.body);
  const search = screen.getByRole('searchbox');
  search.focus();
  await act(() => router.navigate({ to: '/dashboard/vulnerabilities', search: { page: 2 } as never }));
  expect(focused()).toBe(search);
  expect(screen.queryByText('Vulnerabilities · Riskboard', { selector: 'p' })).toBeNull();
});

it('moves the focus to the page after the dialog that opened it has closed', async () => {
  const { user, router } = visit('/dashboard/vulnerabilities');
  await link();
  const dialog = document.createElement('div');
  dialog.setAttribute('role', 'dialog');
  dialog.innerHTML = '<button>Open the jobs</button>';
  document.body.append(dialog);
  const open = screen.getByRole('button', { name: 'Open the jobs' });
  open.addEventListener('click', () => void router.navigate({ to: '/dashboard/jobs' }));
  await user.click(open);
  await screen.findByRole('heading', { name: 'Jobs', level: 1 });
  await waitFor(() => expect(router.state.status).toBe('idle'));
  expect(focused()).toBe(open);
  dialog.remove();
  await waitFor(() => expect(focused()).toBe(screen.getByRole('main')));
});
