import { vignettes } from '@riskboard/contract';
import { screen, waitFor, within } from '@testing-library/react';
import { describe, expect, it } from 'vitest';
import { fakeApi, pageOf } from '../../../testing/fake-api.ts';
import { visit } from '../../../testing/render-app.tsx';
import { answer, counted, refusal, server, useServer } from '../../../testing/server.ts';
import { vignetteOf } from '../../../testing/vignettes.ts';

useServer();

/** The page of a vignette. */
function open(change: Parameters<typeof vignetteOf>[0] = {}, search = '') {
  const api = fakeApi();
  const vignette = vignetteOf(change);
  server.use(
    answer(vignettes.get, () => vignette),
    answer(vignettes.list, ({ url }) => {
      const { rows, ...page } = pageOf([], url);
      return { items: rows, ...page };
    }),
  );
  return { api, vignette, ...visit(`/dashboard/reports/vignettes/${vignette._id}${search}`) };
}

const grid = () => screen.findByRole('grid', { name: 'Scorecard' });
/** Texts of the cells of a row, not of its head. */
const rowTexts = (table: HTMLElement, row: number) =>
  within(within(table).getAllByRole('row')[row + 1] as HTMLElement)
    .getAllByRole('cell')
    .map(({ textContent }) => textContent);

describe('the page of a vignette', () => {
  it('shows the scorecard, its deciding cells, and cells without a rating as not rated, never as 0', async () => {
    open();
    const table = await grid();
    expect(within(table).getAllByRole('columnheader')).toHaveLength(5);
    expect(within(table).getAllByRole('rowheader')).toHaveLength(8);
    expect(rowTexts(table, 0)).toEqual(['9, highest of its row', '4', '–Not rated', '–Not rated']);
    expect(rowTexts(table, 1)).toEqual(['–Not rated', '–Not rated', '0, highest of its row', '–Not rated']);
  });

  it('moves between the cells by arrow keys and shows the note of the one in focus', async () => {
    const { user } = open();
    const table = await grid();
    const cells = within(table).getAllByRole('cell');
    expect(cells.filter(({ tabIndex }) => tabIndex === 0)).toHaveLength(1);
    cells[1]?.focus();
    await user.keyboard('{ArrowLeft}');
    expect(document.activeElement).toBe(cells[0]);
    expect(screen.getByText('Cranes move.')).toBeDefined();
    await user.keyboard('{ArrowDown}{End}');
    expect(document.activeElement).toBe(cells[7]);
    expect(screen.getByText('Read data, Enterprise')).toBeDefined();
    expect(screen.queryByText('Cranes move.')).toBeNull();
  });

  it('links to the vulnerabilities that are scored with it', async () => {
    const { vignette } = open();
    const link = await screen.findByRole('link', { name: '12 scored with Harbour control' });
    expect(link.getAttribute('href')).toBe(`/dashboard/vulnerabilities?vignetteId=${vignette._id}`);
  });

  it('marks a starter vignette as not one of MITRE', async () => {
    open({ origin: 'Riskboard. Not a vignette of MITRE.' });
    expect((await screen.findAllByText('Riskboard starter, not MITRE')).length).toBeGreaterThan(0);
  });

  it('lists the versions newest first, with who saved them', async () => {
    open();
    await grid();
    const versions = within(screen.getByRole('region', { name: 'Versions' }));
    const items = versions.getAllByRole('listitem').map(({ textContent }) => textContent);
    expect(items).toHaveLength(3);
    expect(items[0]).toMatch(/^Version 3Newest.*Ben Pier/u);
    expect(items[2]).toMatch(/^Version 1.*Ada Quay/u);
  });

  it('shows an earlier version read-only, and marks the cells that differ from the newest one', async () => {
    const { vignette, user } = open({}, '');
    server.use(
      answer(vignettes.version, ({ params }) => ({
        ...vignette,
        scorecard: [
          { impact: 'Modify data' as const, layer: 'System' as const, subscore: 7.5, notes: 'Cranes move.' },
          { impact: 'Modify data' as const, layer: 'Application' as const, subscore: 4, notes: '' },
        ],
        domain: 'Ports',
        version: Number(params['version']),
        at: '2026-11-10T10:00:00.000Z',
        by: 'Ada Quay',
      })),
    );
    await grid();
    await user.click(screen.getByRole('link', { name: 'Version 2' }));
    expect(await screen.findByText(/^Version 2 of 3, saved by Ada Quay/u)).toBeDefined();
    expect(screen.getByText('Different in the newest version: 2 cells, Domain.')).toBeDefined();
    const table = await grid();
    expect(rowTexts(table, 0)[0]).toBe('7.5, highest of its row, now → 9');
    expect(rowTexts(table, 1)[2]).toBe('–Not rated, now → 0');
    expect(table.querySelectorAll('[data-changed]')).toHaveLength(2);
    await user.click(screen.getByRole('link', { name: 'Show newest' }));
    await waitFor(() => expect(screen.queryByText(/^Version 2 of 3/u)).toBeNull());
  });

  it('says before a deletion what becomes of the scores, and leads to the list', async () => {
    const { vignette, user, router } = open();
    const deleted = counted(vignettes.delete, () => ({
      success: true as const,
      _id: vignette._id,
      id: vignette._id,
    }));
    await grid();
    await user.click(screen.getByRole('button', { name: 'Delete' }));
    const dialog = within(await screen.findByRole('alertdialog', { name: 'Are you absolutely sure?' }));
    expect(
      dialog.getByText(
        /all 3 versions\. 12 vulnerabilities are scored with it\. They keep their scores, marked as stale/u,
      ),
    ).toBeDefined();
    await user.click(dialog.getByRole('button', { name: 'Delete' }));
    expect(await screen.findByText('Vignette deleted')).toBeDefined();
    expect(screen.getByText('“Harbour control” was deleted. 12 scores become stale.')).toBeDefined();
    expect(deleted.times).toBe(1);
    await waitFor(() => expect(router.state.location.pathname).toBe('/dashboard/reports/vignettes'));
    expect(await screen.findByText('No vignettes available.')).toBeDefined();
  });

  it('stays when the deletion fails, with the reason', async () => {
    const { user } = open();
    server.use(answer(vignettes.delete, () => refusal('unavailable', 'Try again later.')));
    await grid();
    await user.click(screen.getByRole('button', { name: 'Delete' }));
    await user.click(within(await screen.findByRole('alertdialog')).getByRole('button', { name: 'Delete' }));
    expect(await screen.findByText('Try again later.')).toBeDefined();
    expect(await grid()).toBeDefined();
  });

  it('of an unknown id says so and leads to the list', async () => {
    open();
    server.use(answer(vignettes.get, () => undefined));
    expect(await screen.findByText('This vignette does not exist, or it was deleted.')).toBeDefined();
    expect(screen.getByRole('link', { name: 'Show all vignettes' })).toBeDefined();
  });

  it('says that another user deleted it as soon as the event arrives', async () => {
    const { api, vignette, connected } = open();
    await grid();
    await connected();
    server.use(answer(vignettes.get, () => undefined));
    api.publish({ type: 'vignette.changed', ids: [vignette._id], count: 1, action: 'deleted', by: null });
    expect(await screen.findByText('This vignette was deleted')).toBeDefined();
    expect(screen.getByRole('link', { name: 'Show all vignettes' })).toBeDefined();
    expect(screen.queryByRole('button', { name: 'Delete' })).toBeNull();
  });

  it('shows what another user saved as soon as the event arrives', async () => {
    const { api, vignette, connected } = open();
    await grid();
    await connected();
    server.use(answer(vignettes.get, () => ({ ...vignette, name: 'Lock control', version: 4 })));
    api.publish({ type: 'vignette.changed', ids: [vignette._id], count: 1, action: 'updated', by: null });
    expect(await screen.findByRole('heading', { name: 'Lock control', level: 1 })).toBeDefined();
  });
});
