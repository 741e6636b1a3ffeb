import { vulnerabilities, type VulnerabilityDetail } from '@riskboard/contract';
import { act, screen, waitFor, within } from '@testing-library/react';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { fakeApi, pageOf, type FakeApi } from '../../../testing/fake-api.ts';
import { vulnerabilityDetailOf } from '../../../testing/records.ts';
import { visit } from '../../../testing/render-app.tsx';
import { newId, vulnerabilityOf } from '../../../testing/rows.ts';
import { answer, refusal, server, useServer } from '../../../testing/server.ts';
import { stateOfCheckbox } from '../../../testing/checkbox.ts';

useServer();
let api: FakeApi;
beforeEach(() => {
  api = fakeApi();
});

const address = '/dashboard/reports/vulnerabilities';
const pane = (name: string) => screen.findByRole('complementary', { name });
const rowOf = (name: string) => screen.findByRole('row', { name: new RegExp(name, 'u') });

/** Opens the data list with three rows, or at an address; `held` delays the reply for one record. */
function open(at = address) {
  const rows = ['Log4Shell', 'Heartbleed', 'BlueKeep'].map((name) => vulnerabilityOf({ name }));
  const details = new Map<string, VulnerabilityDetail>(
    rows.map((row) => [row._id, vulnerabilityDetailOf({ ...row, description: `About ${row.name}.` })]),
  );
  const idOf = (name: string) => rows.find((row) => row.name === name)?._id ?? '';
  const state = { rows, details, idOf, held: new Map<string, Promise<unknown>>(), loaded: [] as string[] };
  server.use(
    answer(vulnerabilities.list, ({ url }) => {
      const { rows: found, ...page } = pageOf(state.rows, url);
      return { vulnerabilities: found, ...page, nextCursor: null };
    }),
    answer(vulnerabilities.get, async ({ params }) => {
      const id = String(params['id']);
      await state.held.get(id);
      state.loaded.push(details.get(id)?.name ?? id);
      return details.get(id);
    }),
  );
  return { ...state, ...visit(at.replace('ID', idOf('Heartbleed'))) };
}

const changedBy = (id: string) =>
  api.publish({ type: 'vulnerability.changed', ids: [id], count: 1, action: 'updated', by: null });

describe('pane of a row beside its list', () => {
  it('shows status and CVSS first, marks the row, keeps the focus in the list and the record in the address', async () => {
    const { idOf, user, router } = open();
    await user.click(await rowOf('Log4Shell'));
    const shown = within(await pane('Log4Shell'));
    await shown.findByText('About Log4Shell.');
    expect(router.state.location.search).toEqual({ peek: idOf('Log4Shell') });
    const [status, cvss] = shown.getAllByRole('term').map(({ textContent }) => textContent);
    expect([status, cvss]).toEqual(['Status', 'CVSS']);
    const row = await rowOf('Log4Shell');
    expect(row.getAttribute('aria-current')).toBe('true');
    expect(document.activeElement).toBe(row);
    expect(screen.queryByRole('dialog')).toBeNull();
  });

  it('leaves the list usable: rows are selected, sorted and searched while the pane is open', async () => {
    const { idOf, user, router } = open();
    await user.click(await rowOf('Log4Shell'));
    await pane('Log4Shell');
    await user.click(screen.getByRole('checkbox', { name: 'Select Heartbleed' }));
    expect(stateOfCheckbox(screen.getByRole('checkbox', { name: 'Select Heartbleed' }))).toBe('checked');
    await user.click(screen.getByRole('button', { name: 'CVE' }));
    await waitFor(() =>
      expect(router.state.location.search).toMatchObject({
        peek: idOf('Log4Shell'),
        sort: expect.stringContaining('cveId') as string,
      }),
    );
    await user.click(await rowOf('BlueKeep'));
    await pane('BlueKeep');
    expect(screen.getAllByRole('complementary', { name: /Log4Shell|BlueKeep/u })).toHaveLength(1);
  });

  it('follows J, K and the arrow keys in the list, and announces the record', async () => {
    const { idOf, user, router } = open();
    await user.click(await rowOf('Log4Shell'));
    await pane('Log4Shell');
    await user.keyboard('j');
    const second = within(await pane('Heartbleed'));
    second.getByText('Heartbleed. Row 2 of 3 on this page.');
    expect(document.activeElement).toBe(await rowOf('Heartbleed'));
    await user.keyboard('{ArrowDown}');
    await pane('BlueKeep');
    // The last row: J stays.
    await user.keyboard('j');
    expect(router.state.location.search).toEqual({ peek: idOf('BlueKeep') });
    await user.keyboard('k{ArrowUp}');
    await pane('Log4Shell');
    await within(await pane('Log4Shell')).findByText('About Log4Shell.');
  });

  it('moves the record while the focus is in the pane, and leaves the focus there', async () => {
    const { user } = open();
    await user.click(await rowOf('Log4Shell'));
    const first = await pane('Log4Shell');
    // Enter on the open row leads into its pane.
    await user.keyboard('{Enter}');
    expect(document.activeElement).toBe(within(first).getByRole('heading', { name: 'Log4Shell' }));
    await user.keyboard('jj');
    await pane('BlueKeep');
    expect(document.activeElement?.closest('aside')).not.toBeNull();
  });

  it('never shows the fields of the previous record below the next title, and loads the neighbors in advance', async () => {
    const { idOf, held, loaded, user } = open();
    const { promise, resolve: release } = Promise.withResolvers<undefined>();
    held.set(idOf('Heartbleed'), promise);
    await user.click(await rowOf('BlueKeep'));
    await within(await pane('BlueKeep')).findByText('About BlueKeep.');
    await user.keyboard('k');
    const next = within(await pane('Heartbleed'));
    expect(next.queryByText('About BlueKeep.')).toBeNull();
    expect(next.queryByRole('term')).toBeNull();
    release(undefined);
    await next.findByText('About Heartbleed.');
    // The neighbor above was not visited.
    await waitFor(() => expect(loaded).toContain('Log4Shell'));
  });

  it('closes on Escape from the list and from the pane, with the focus on the row', async () => {
    const { user, router } = open();
    await user.click(await rowOf('Log4Shell'));
    await pane('Log4Shell');
    await user.keyboard('{Escape}');
    await waitFor(() => expect(router.state.location.search).toEqual({}));
    expect(screen.queryByRole('complementary', { name: 'Log4Shell' })).toBeNull();
    expect(document.activeElement).toBe(await rowOf('Log4Shell'));
    expect((await rowOf('Log4Shell')).getAttribute('aria-current')).toBeNull();

    await user.keyboard('{Enter}');
    await user.click(within(await pane('Log4Shell')).getByRole('button', { name: 'Next row' }));
    await pane('Heartbleed');
    await user.keyboard('{Escape}');
    await waitFor(() => expect(router.state.location.search).toEqual({}));
    expect(document.activeElement).toBe(await rowOf('Heartbleed'));
  });

  it('opens from the address, and Back closes it', async () => {
    const { user, router } = open(`${address}?peek=ID`);
    await within(await pane('Heartbleed')).findByText('About Heartbleed.');
    await user.click(screen.getByRole('button', { name: 'Close' }));
    await waitFor(() => expect(router.state.location.search).toEqual({}));
    await user.click(await rowOf('Log4Shell'));
    await pane('Log4Shell');
    router.history.back();
    await waitFor(() => expect(router.state.location.search).toEqual({}));
    expect(screen.queryByRole('complementary', { name: 'Log4Shell' })).toBeNull();
  });

  it('adds one entry to the history, which the next row and closing the pane replace', async () => {
    const { user, router } = open();
    await rowOf('Log4Shell');
    const before = router.history.length;
    await user.click(await rowOf('Log4Shell'));
    await pane('Log4Shell');
    expect(router.history.length).toBe(before + 1);
    await user.keyboard('j');
    await pane('Heartbleed');
    await user.keyboard('{Escape}');
    await waitFor(() => expect(router.state.location.search).toEqual({}));
    expect(router.history.length).toBe(before + 1);
  });

  it('shows what another user changed, and says who', async () => {
    const { details, idOf, user, connected } = open();
    await user.click(await rowOf('Log4Shell'));
    const shown = within(await pane('Log4Shell'));
    await shown.findByText('About Log4Shell.');
    await connected();
    const id = idOf('Log4Shell');
    details.set(
      id,
      vulnerabilityDetailOf({
        _id: id,
        name: 'Log4Shell',
        version: 2,
        updatedBy: 'Ben Pier',
        updatedAt: new Date(Date.now() - 2 * 3_600_000).toISOString(),
        status: 'fixed',
      }),
    );
    changedBy(id);
    await shown.findByText('Updated by Ben Pier.', { selector: 'output' });
    const time = shown.getByText('2 hours ago');
    expect(time.parentElement?.textContent).toBe('Updated 2 hours ago by Ben Pier.');
    expect(shown.getByText('Fixed')).toBeDefined();
  });

  it('says that a record was deleted elsewhere instead of showing its old fields', async () => {
    const { details, idOf, user, connected } = open();
    await user.click(await rowOf('Log4Shell'));
    const shown = within(await pane('Log4Shell'));
    await shown.findByText('About Log4Shell.');
    await connected();
    details.delete(idOf('Log4Shell'));
    changedBy(idOf('Log4Shell'));
    await shown.findByText('This vulnerability was deleted');
    expect(shown.queryByText('About Log4Shell.')).toBeNull();
    expect(shown.queryByRole('link', { name: 'Open full page' })).toBeNull();
  });

  it('closes when its record is deleted from the row', async () => {
    const { rows, idOf, user, router } = open();
    const _id = idOf('Log4Shell');
    server.use(
      answer(vulnerabilities.delete, () => {
        rows.splice(0, 1);
        return { success: true as const, _id, id: _id };
      }),
    );
    await user.click(await rowOf('Log4Shell'));
    await within(await pane('Log4Shell')).findByText('About Log4Shell.');
    await user.click(screen.getByRole('button', { name: 'Actions for Log4Shell' }));
    await user.click(await screen.findByRole('menuitem', { name: 'Delete' }));
    await waitFor(() => expect(router.state.location.search).toEqual({}));
    expect(screen.queryByRole('complementary', { name: 'Log4Shell' })).toBeNull();
  });

  it('shows an error when the record cannot be loaded', async () => {
    open(`${address}?peek=ID`);
    server.use(answer(vulnerabilities.get, () => refusal('internal')));
    expect(await screen.findByText('Error Loading Vulnerability')).toBeDefined();
  });

  it('of a record that does not exist says so, without the links to its pages', async () => {
    open(`${address}?peek=${newId()}`);
    const shown = within(await pane('Vulnerability'));
    shown.getByText('Error Loading Vulnerability');
    for (const name of ['Open full page', 'Edit']) expect(shown.queryByRole('link', { name })).toBeNull();
    expect(screen.queryByText('Loading…')).toBeNull();
  });

  it('keeps its width in this browser', async () => {
    vi.stubGlobal('innerWidth', 1600);
    const { user } = open(`${address}?peek=ID`);
    const edge = await screen.findByRole('separator', { name: 'Width of the panel' });
    const before = Number(edge.getAttribute('aria-valuenow'));
    edge.focus();
    await user.keyboard('{ArrowLeft}');
    await waitFor(() => expect(Number(edge.getAttribute('aria-valuenow'))).toBe(before + 24));
    expect(localStorage.getItem('riskboard.side-pane')).toBe(String(before + 24));
  });

  it('is changed from the width that it has in a smaller window', async () => {
    vi.stubGlobal('innerWidth', 1600);
    const { user } = open(`${address}?peek=ID`);
    const edge = await screen.findByRole('separator', { name: 'Width of the panel' });
    edge.focus();
    await user.keyboard('{ArrowLeft>40/}');
    await waitFor(() => expect(edge.getAttribute('aria-valuenow')).toBe('576'));
    vi.stubGlobal('innerWidth', 1024);
    act(() => void window.dispatchEvent(new Event('resize')));
    expect(['now', 'max'].map((name) => edge.getAttribute(`aria-value${name}`))).toEqual(['369', '369']);
    // The width of the larger window stays until another one is chosen.
    await user.keyboard('{ArrowLeft}');
    expect(localStorage.getItem('riskboard.side-pane')).toBe('576');
    await user.keyboard('{ArrowRight}');
    await waitFor(() => expect(edge.getAttribute('aria-valuenow')).toBe('345'));
    expect(localStorage.getItem('riskboard.side-pane')).toBe('345');
  });

  it('takes the page on a narrow screen, with a way back to the row', async () => {
    const wide = window.matchMedia('(min-width: 64rem)');
    vi.spyOn(window, 'matchMedia').mockReturnValue(
      Object.assign(Object.create(wide) as typeof wide, { matches: false }),
    );
    const { user, router } = open();
    await user.click(await rowOf('Log4Shell'));
    const sheet = within(await screen.findByRole('dialog', { name: 'Log4Shell' }));
    await user.click(sheet.getByRole('button', { name: 'Next row' }));
    const next = within(await screen.findByRole('dialog', { name: 'Heartbleed' }));
    await user.click(next.getByRole('button', { name: 'Back to the list' }));
    await waitFor(() => expect(router.state.location.search).toEqual({}));
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
    expect(document.activeElement).toBe(await rowOf('Heartbleed'));
  });
});
