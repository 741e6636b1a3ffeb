import { accounts, vignettes, type Vignette } from '@riskboard/contract';
import { screen, within } from '@testing-library/react';
import { describe, expect, it } from 'vitest';
import { fakeApi, pageOf } from '../../../testing/fake-api.ts';
import { visit } from '../../../testing/render-app.tsx';
import { userOf } from '../../../testing/rows.ts';
import { answer, counted, server, useServer } from '../../../testing/server.ts';
import { summaryOf, vignetteOf } from '../../../testing/vignettes.ts';

useServer();

function open(rows: readonly Partial<Vignette>[], address = '/dashboard/reports/vignettes') {
  const listed = rows.map(summaryOf);
  fakeApi();
  server.use(
    answer(vignettes.list, ({ url }) => {
      const { rows: items, ...page } = pageOf(listed, url);
      return { items, ...page };
    }),
  );
  return { listed, ...visit(address) };
}

describe('the list of vignettes', () => {
  it('shows who wrote them, and how many cells and vulnerabilities they have', async () => {
    open([
      { vulnerabilities: 12 },
      { name: 'SCADA', origin: 'Riskboard. Not a vignette of MITRE.', vulnerabilities: 0 },
    ]);
    const row = within(await screen.findByRole('row', { name: /Harbour control/u }));
    for (const text of ['Cranes and locks', 'Harbour Authority']) expect(row.getByText(text)).toBeDefined();
    expect(row.getAllByRole('cell').some(({ textContent }) => textContent === '3')).toBe(true);
    expect(row.getByText('of 32').parentElement?.textContent).toBe('3 of 32');
    expect(row.getByRole('link', { name: '12 scored with Harbour control' })).toBeDefined();
    const starter = within(screen.getByRole('row', { name: /SCADA/u }));
    expect(starter.getByText('Riskboard starter, not MITRE')).toBeDefined();
    expect(starter.queryByRole('link', { name: /scored with/u })).toBeNull();
  });

  it('offers the starter vignettes and the upload while it is empty', async () => {
    const { user } = open([]);
    const added = counted(vignettes.addStarters, () => ({ created: 6, items: [] }));
    expect(await screen.findByText('No vignettes available.')).toBeDefined();
    expect(screen.getAllByRole('button', { name: 'Upload Vignette' })).toHaveLength(2);
    const [first] = screen.getAllByRole('button', { name: 'Add starter vignettes' });
    await user.click(first as HTMLElement);
    expect(await screen.findByText('6 vignettes added.')).toBeDefined();
    expect(added.times).toBe(1);
  });

  it('has a menu for each row, and Duplicate starts a new vignette from it', async () => {
    const { user, listed } = open([{}]);
    server.use(
      answer(vignettes.get, () => vignetteOf({ _id: listed[0]?._id ?? '' })),
      answer(vignettes.preview, () => undefined),
    );
    await user.click(await screen.findByRole('button', { name: 'Actions for Harbour control' }));
    const menu = await screen.findByRole('menu');
    expect(
      within(menu)
        .getAllByRole('menuitem')
        .map(({ textContent }) => textContent),
    ).toEqual(['Open', 'Edit', 'Duplicate', 'Download', 'Delete']);
    await user.click(within(menu).getByRole('menuitem', { name: 'Duplicate' }));
    expect(await screen.findByRole('heading', { name: 'Duplicate Vignette', level: 1 })).toBeDefined();
    expect(screen.getByRole<HTMLInputElement>('textbox', { name: 'Name' }).value).toBe(
      'Harbour control (copy)',
    );
    expect(screen.getByRole<HTMLInputElement>('textbox', { name: 'Origin' }).value).toBe('');
  });

  it('shows a viewer why nothing can be changed', async () => {
    const { user } = open([{}]);
    server.use(answer(accounts.me, () => ({ user: userOf({ role: 'viewer' }) })));
    await user.click(await screen.findByRole('button', { name: 'Actions for Harbour control' }));
    const menu = within(await screen.findByRole('menu'));
    for (const name of ['Edit', 'Duplicate', 'Delete'])
      expect(
        menu.getByRole('menuitem', { name: new RegExp(`^${name}Requires the analyst role`, 'u') }),
      ).toBeDefined();
    expect(menu.getByRole('menuitem', { name: 'Download' }).getAttribute('aria-disabled')).not.toBe('true');
  });
});
