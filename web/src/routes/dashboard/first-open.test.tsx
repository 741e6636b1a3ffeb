import { accounts, vulnerabilities } from '@riskboard/contract';
import { fireEvent, screen, waitFor } from '@testing-library/react';
import { beforeEach, expect, it, vi } from 'vitest';
import { fakeApi, pageOf } from '../../testing/fake-api.ts';
import { visit } from '../../testing/render-app.tsx';
import { userOf, vulnerabilityOf } from '../../testing/rows.ts';
import { answer, server, useServer } from '../../testing/server.ts';

useServer();
beforeEach(() => {
  fakeApi();
  vi.stubGlobal('requestIdleCallback', (task: () => void) => setTimeout(task));
  vi.stubGlobal('cancelIdleCallback', clearTimeout);
  server.use(
    answer(accounts.me, () => ({ user: userOf({ role: 'owner' }) })),
    answer(vulnerabilities.list, ({ url }) => {
      const { rows, ...page } = pageOf([vulnerabilityOf({ name: 'Log4Shell', cwe: ['CWE-79'] })], url);
      return { vulnerabilities: rows, ...page, nextCursor: null };
    }),
    answer(vulnerabilities.facets, ({ url }) => {
      const name = url.searchParams.get('field') ?? '';
      return { facets: { [name]: { values: [{ value: 'CVE-2021-44228', count: 1 }], more: false } } };
    }),
  );
});

const press = (role: string, name: string | RegExp) => fireEvent.click(screen.getByRole(role, { name }));

/** Each popup, what opens it, and its content. */
const popups = [
  { popup: 'filter menu', open: () => press('button', 'Filter'), content: ['list', 'Fields'] },
  {
    popup: 'filter of a column',
    open: () => press('button', 'Filter CVE'),
    content: ['checkbox', 'CVE-2021-44228'],
  },
  { popup: 'filter of a range', open: () => press('button', 'Filter CVSS'), content: ['textbox', 'Min'] },
  {
    popup: 'column chooser',
    open: () => press('button', 'Columns'),
    content: ['checkbox', 'Applied Vignette'],
  },
  {
    popup: 'shortcut help',
    open: () => fireEvent.keyDown(document.body, { key: '?' }),
    content: ['dialog', 'Keyboard shortcuts'],
  },
  {
    popup: 'palette',
    open: () => fireEvent.keyDown(document.body, { key: 'k', ctrlKey: true }),
    content: ['combobox', /./u],
  },
  {
    popup: 'selection bar',
    open: () => press('checkbox', 'Select Log4Shell'),
    content: ['button', 'Edit Selected (1)'],
  },
  {
    popup: 'panel of a weakness',
    open: () => press('button', 'CWE-79 of Log4Shell'),
    content: ['dialog', /CWE-79/u],
  },
] as const;

it.each(popups)(
  'after idle, the $popup shows its content at the first click, without a placeholder',
  async ({ open, content: [role, name] }) => {
    const { connected } = visit('/dashboard/reports/vulnerabilities');
    await screen.findByRole('checkbox', { name: 'Select Log4Shell' });
    await connected();
    await waitFor(() => expect(screen.getByRole('button', { name: 'Filter' })).toBeDefined());
    await vi.dynamicImportSettled();
    await connected();
    const placeholders = new Set<Node>();
    const observer = new MutationObserver(() => {
      for (const bar of document.querySelectorAll('.animate-pulse')) placeholders.add(bar);
    });
    observer.observe(document.body, { childList: true, subtree: true });
    open();
    await screen.findByRole(role, { name });
    observer.disconnect();
    expect(placeholders.size).toBe(0);
  },
);
