import { accounts, vulnerabilities } from '@riskboard/contract';
import { screen, within } from '@testing-library/react';
import { expect, test } from 'vitest';
import { importsApi } from '../../testing/imports.ts';
import { visit } from '../../testing/render-app.tsx';
import { userOf } from '../../testing/rows.ts';
import { answer, server, useServer } from '../../testing/server.ts';

useServer();

const noVulnerabilities = () =>
  answer(vulnerabilities.list, () => ({
    vulnerabilities: [],
    total: 0,
    page: 1,
    pageSize: 50,
    nextCursor: null,
  }));

test('the list of vulnerabilities leads to the CSV import, from its header and while it is empty', async () => {
  importsApi();
  server.use(noVulnerabilities());
  visit('/dashboard/vulnerabilities');
  await screen.findByText('No vulnerabilities found.');
  const links = await screen.findAllByRole('link', { name: 'Import CSV' });
  expect(links.map((link) => link.getAttribute('href'))).toEqual([
    '/dashboard/vulnerabilities/import',
    '/dashboard/vulnerabilities/import',
  ]);
});

test('a viewer finds the CSV import disabled in the list', async () => {
  importsApi();
  server.use(
    noVulnerabilities(),
    answer(accounts.me, () => ({ user: userOf({ role: 'viewer' }) })),
  );
  visit('/dashboard/vulnerabilities');
  await screen.findByText('No vulnerabilities found.');
  for (const button of await screen.findAllByRole('button', { name: 'Import CSV' }))
    expect(button.getAttribute('aria-disabled')).toBe('true');
});

test('the palette opens the import of either noun', async () => {
  importsApi();
  const { user, router } = visit('/dashboard/jobs');
  await user.click(await screen.findByRole('button', { name: /^Search/u }));
  const palette = within(await screen.findByRole('dialog'));
  await user.type(await palette.findByRole('combobox'), 'csv');
  await palette.findByText('Import vulnerabilities from CSV');
  await user.click(palette.getByText('Import assets from CSV'));
  await screen.findByRole('heading', { name: 'Import assets from CSV' });
  expect(router.state.location.pathname).toBe('/dashboard/assets/import');
});
