import { accounts, etagOf, vulnerabilities, type VulnerabilityDetail } from '@riskboard/contract';
import { screen, waitFor, within } from '@testing-library/react';
import { beforeEach, describe, expect, it } from 'vitest';
import { fakeApi, pageOf } from '../../../testing/fake-api.ts';
import { vulnerabilityDetailOf } from '../../../testing/records.ts';
import { fill, visit } from '../../../testing/render-app.tsx';
import { userOf, vulnerabilityOf } from '../../../testing/rows.ts';
import { answer, refusal, server, useServer } from '../../../testing/server.ts';

useServer();
beforeEach(() => void fakeApi());

const address = '/dashboard/vulnerabilities';
const rowOf = (name: string) => screen.findByRole('row', { name: new RegExp(name, 'u') });
const names = () => screen.getAllByRole('rowheader').map(({ textContent }) => textContent);

interface Sent {
  id: string;
  version: string | null;
  body: Record<string, unknown>;
}

/** An API over two records that checks versions as the server does; `held` delays its replies to changes. */
function open(at = '', changes: readonly Partial<VulnerabilityDetail>[] = [{}, {}]) {
  const records = ['Log4Shell', 'Heartbleed'].map((name, n) =>
    vulnerabilityDetailOf({ name, severity: 5, cvssScore: null, ...changes[n] }),
  );
  const [first] = records as [VulnerabilityDetail, VulnerabilityDetail];
  const api = {
    records,
    first,
    sent: [] as Sent[],
    held: Promise.resolve() as Promise<unknown>,
    refusal: undefined as Response | undefined,
    /** What another user saves. */
    change(id: string, change: Partial<VulnerabilityDetail>): void {
      const record = records.find(({ _id }) => _id === id);
      if (record !== undefined) Object.assign(record, change, { version: record.version + 1 });
    },
  };
  server.use(
    answer(vulnerabilities.list, ({ url }) => {
      const status = url.searchParams.get('status');
      const found = records.filter((record) => status === null || record.status === status);
      const { rows, ...page } = pageOf(found, url);
      return { vulnerabilities: rows.map((row) => vulnerabilityOf(row)), ...page, nextCursor: null };
    }),
    answer(vulnerabilities.get, ({ params }) => records.find(({ _id }) => _id === params['id'])),
    answer(vulnerabilities.update, async ({ request, params }) => {
      const id = String(params['id']);
      const body = (await request.json()) as Record<string, unknown>;
      const version = request.headers.get('if-match');
      api.sent.push({ id, version, body });
      await api.held;
      if (api.refusal !== undefined) return api.refusal;
      const record = records.find(({ _id }) => _id === id);
      if (record === undefined) return undefined;
      if (version !== null && version !== etagOf(record.version))
        return refusal('stale_version', 'Ben Pier changed this in the meantime.');
      api.change(id, { ...body, updatedBy: 'Ada Lovelace' });
      return record;
    }),
  );
  return { api, ...visit(`${address}${at}`) };
}

type User = ReturnType<typeof open>['user'];

async function chooseStatus(user: User, name: string, status: string): Promise<void> {
  await user.click(within(await rowOf(name)).getByTitle('Change status'));
  await user.click(await screen.findByRole('menuitemradio', { name: status }));
}

const statusIn = async (name: string) => within(await rowOf(name)).getByTitle('Change status').textContent;

describe('inline edit of a row', () => {
  it('changes the status at once, names it in the toast, and Undo restores it', async () => {
    const { api, user } = open();
    const { promise, resolve } = Promise.withResolvers();
    api.held = promise;
    await chooseStatus(user, 'Log4Shell', 'Fixed');
    await waitFor(async () => expect(await statusIn('Log4Shell')).toBe('Fixed'));
    expect(screen.queryByText(/changed to/u)).toBeNull();
    resolve(undefined);
    await screen.findByText('Status of “Log4Shell” changed to Fixed');
    expect(api.sent).toEqual([{ id: api.first._id, version: etagOf(1), body: { status: 'fixed' } }]);

    await user.click(screen.getByRole('button', { name: 'Undo' }));
    await screen.findByText('Status of “Log4Shell” is Open again');
    expect(api.sent[1]).toEqual({ id: api.first._id, version: etagOf(2), body: { status: 'open' } });
    await waitFor(async () => expect(await statusIn('Log4Shell')).toBe('Open'));
  });

  it('returns the focus to the value, opens no row, and saves nothing when the same value is chosen', async () => {
    const { api, user, router } = open();
    await chooseStatus(user, 'Log4Shell', 'Open');
    await waitFor(() => expect(screen.queryByRole('menu')).toBeNull());
    expect(document.activeElement).toBe(within(await rowOf('Log4Shell')).getByTitle('Change status'));
    expect(router.state.location.search).toEqual({});
    expect(api.sent).toEqual([]);
  });

  it('shows the saved value again when the server refuses the change, with its message', async () => {
    const { api, user } = open();
    api.refusal = refusal('unavailable', 'The database rests.');
    await chooseStatus(user, 'Log4Shell', 'Fixed');
    await screen.findByText('Status of “Log4Shell” not changed');
    expect(screen.getByText('The database rests.')).toBeDefined();
    await waitFor(async () => expect(await statusIn('Log4Shell')).toBe('Open'));
  });

  it('overwrites nothing that another user changed meanwhile: the dialog of the forms asks', async () => {
    const { api, user, connected } = open();
    await rowOf('Log4Shell');
    await connected();
    api.change(api.first._id, { status: 'accepted', updatedBy: 'Ben Pier' });
    await chooseStatus(user, 'Log4Shell', 'Fixed');
    const question = within(await screen.findByRole('dialog', { name: 'Changed by Ben Pier' }));
    expect(question.getByRole('row', { name: 'Status Fixed Accepted' })).toBeDefined();
    expect(api.first.status).toBe('accepted');
    await user.click(question.getByRole('button', { name: 'Reload' }));
    await waitFor(async () => expect(await statusIn('Log4Shell')).toBe('Accepted'));
    expect(api.sent).toHaveLength(1);
  });

  describe('while another user saves a value that arrives in the open editor', () => {
    async function openSeverity() {
      const opened = open();
      const { api, user, queryClient } = opened;
      await user.click(within(await rowOf('Log4Shell')).getByTitle('Change severity'));
      const input = await screen.findByRole<HTMLInputElement>('textbox', { name: 'Severity' });
      api.change(api.first._id, { severity: 9, updatedBy: 'Ben Pier' });
      await queryClient.invalidateQueries({ queryKey: ['vulnerabilities'] });
      const severity = async () => within(await rowOf('Log4Shell')).getByTitle('Change severity').textContent;
      await waitFor(async () => expect(await severity()).toContain('9.0'));
      return { ...opened, input };
    }

    it('saves nothing when nothing was typed', async () => {
      const { api, user, input } = await openSeverity();
      expect(input.value).toBe('5');
      await user.click(input);
      await user.keyboard('{Enter}');
      await waitFor(() => expect(screen.queryByRole('textbox', { name: 'Severity' })).toBeNull());
      expect(api.sent).toEqual([]);
      expect(api.first.severity).toBe(9);
    });

    it('asks before a typed value replaces it', async () => {
      const { api, user, input } = await openSeverity();
      await fill(user, input, '6');
      await user.keyboard('{Enter}');
      const question = within(await screen.findByRole('dialog', { name: 'Changed by Ben Pier' }));
      expect(question.getByRole('row', { name: 'Severity 6.0 9.0' })).toBeDefined();
      expect(api.sent.map(({ version }) => version)).toEqual([etagOf(1)]);
      expect(api.first.severity).toBe(9);
      await user.click(question.getByRole('button', { name: 'Reload' }));
    });
  });

  it('overwrites a newer version when the user says so', async () => {
    const { api, user, connected } = open();
    await rowOf('Log4Shell');
    await connected();
    api.change(api.first._id, { status: 'accepted', updatedBy: 'Ben Pier' });
    await chooseStatus(user, 'Log4Shell', 'Fixed');
    await user.click(await screen.findByRole('button', { name: 'Overwrite' }));
    await screen.findByText('Status of “Log4Shell” changed to Fixed');
    expect(api.sent.map(({ version }) => version)).toEqual([etagOf(1), etagOf(2)]);
    expect(api.first.status).toBe('fixed');
  });

  it('asks again when a third user saves another version before Overwrite', async () => {
    const { api, user, connected } = open();
    await rowOf('Log4Shell');
    await connected();
    api.change(api.first._id, { severity: 8, updatedBy: 'Ben Pier' });
    await chooseStatus(user, 'Log4Shell', 'Fixed');
    const overwrite = await screen.findByRole('button', { name: 'Overwrite' });
    api.change(api.first._id, { status: 'accepted', updatedBy: 'Cleo Ray' });
    await user.click(overwrite);
    const question = within(await screen.findByRole('dialog', { name: 'Changed by Cleo Ray' }));
    expect(question.getByRole('row', { name: 'Status Fixed Accepted' })).toBeDefined();
    expect(api.first.status).toBe('accepted');
    await user.click(question.getByRole('button', { name: 'Overwrite' }));
    await screen.findByText('Status of “Log4Shell” changed to Fixed');
    expect(api.sent.map(({ version }) => version)).toEqual([etagOf(1), etagOf(2), etagOf(3)]);
  });

  it('refuses Undo when another user has changed the record since', async () => {
    const { api, user } = open();
    await chooseStatus(user, 'Log4Shell', 'Fixed');
    const undo = await screen.findByRole('button', { name: 'Undo' });
    api.change(api.first._id, { status: 'mitigated', updatedBy: 'Ben Pier' });
    await user.click(undo);
    await screen.findByText('Status of “Log4Shell” was not restored');
    expect(screen.getByText('Ben Pier changed this in the meantime. Nothing was overwritten.')).toBeDefined();
    expect(api.first.status).toBe('mitigated');
  });

  it('lets two quick changes of a record follow each other, and undoes the first after the second', async () => {
    const { api, user } = open();
    const { promise, resolve } = Promise.withResolvers();
    api.held = promise;
    await chooseStatus(user, 'Log4Shell', 'Fixed');
    await user.click(within(await rowOf('Log4Shell')).getByTitle('Change severity'));
    await fill(user, await screen.findByRole('textbox', { name: 'Severity' }), '9.1');
    await user.keyboard('{Enter}');
    resolve(undefined);
    await screen.findByText('Severity of “Log4Shell” changed to 9.1');
    expect(api.sent.map(({ version }) => version)).toEqual([etagOf(1), etagOf(2)]);
    const undoStatus = screen
      .getAllByRole('dialog')
      .find(({ textContent }) => textContent.includes('changed to Fixed'));
    await user.click(within(undoStatus as HTMLElement).getByRole('button', { name: 'Undo' }));
    await screen.findByText('Status of “Log4Shell” is Open again');
    expect(api.first).toMatchObject({ status: 'open', severity: 9.1 });
  });

  it('shows the value of a second quick change also when the first is answered', async () => {
    const { api, user, queryClient } = open();
    const [first, second] = [Promise.withResolvers(), Promise.withResolvers()];
    api.held = first.promise;
    await chooseStatus(user, 'Log4Shell', 'Fixed');
    await waitFor(() => expect(api.sent).toHaveLength(1));
    api.held = second.promise;
    await user.click(within(await rowOf('Log4Shell')).getByTitle('Change severity'));
    await fill(user, await screen.findByRole('textbox', { name: 'Severity' }), '9');
    await user.keyboard('{Enter}');
    const severity = async () => within(await rowOf('Log4Shell')).getByTitle('Change severity').textContent;
    await waitFor(async () => expect(await severity()).toContain('9.0'));
    first.resolve(undefined);
    await screen.findByText('Status of “Log4Shell” changed to Fixed');
    await waitFor(() => expect(queryClient.isFetching()).toBe(0));
    expect(await severity()).toContain('9.0');
    second.resolve(undefined);
    await screen.findByText('Severity of “Log4Shell” changed to 9.0');
    expect(await severity()).toContain('9.0');
  });

  it.each([null, 0])(
    'Undo restores the severity %j of a report, which no user may enter, as the reports say',
    async (severity) => {
      const { api, user } = open('', [{ severity, imported: true }, {}]);
      const reverted: unknown[] = [];
      server.use(
        answer(vulnerabilities.revert, async ({ request }) => {
          reverted.push([request.headers.get('if-match'), await request.json()]);
          api.change(api.first._id, { severity });
          return api.first;
        }),
      );
      await user.click(within(await rowOf('Log4Shell')).getByTitle('Change severity'));
      await fill(user, await screen.findByRole('textbox', { name: 'Severity' }), '7');
      await user.keyboard('{Enter}');
      await screen.findByText('Severity of “Log4Shell” changed to 7.0');
      await user.click(screen.getByRole('button', { name: 'Undo' }));
      const restored = severity === null ? 'N/A' : '0.0';
      await screen.findByText(`Severity of “Log4Shell” is ${restored} again`);
      expect(reverted).toEqual([[etagOf(2), { fields: ['severity'] }]]);
      expect(api.sent).toHaveLength(1);
    },
  );

  it('keeps an edited row in its position until the list is updated, although it no longer matches the filter', async () => {
    const { user } = open('?status=open');
    await rowOf('Log4Shell');
    const before = names();
    await chooseStatus(user, 'Log4Shell', 'Fixed');
    await screen.findByText('Edited rows keep their position until the list is updated.');
    expect(names()).toEqual(before);
    // It can be edited again there.
    await chooseStatus(user, 'Log4Shell', 'Accepted');
    await screen.findByText('Status of “Log4Shell” changed to Accepted');
    expect(await statusIn('Log4Shell')).toBe('Accepted');
    await user.click(screen.getByRole('button', { name: 'Update list' }));
    await waitFor(() => expect(names()).toHaveLength(1));
    expect(screen.queryByRole('row', { name: /Log4Shell/u })).toBeNull();
  });

  it('checks a severity before it is sent', async () => {
    const { api, user } = open();
    await user.click(within(await rowOf('Log4Shell')).getByTitle('Change severity'));
    const editor = within(await screen.findByRole('dialog', { name: 'Severity of Log4Shell' }));
    const input = editor.getByRole('textbox', { name: 'Severity' });
    await fill(user, input, '11');
    await user.click(editor.getByRole('button', { name: 'Save' }));
    await waitFor(() => expect(input.getAttribute('aria-invalid')).toBe('true'));
    expect(api.sent).toEqual([]);
    await user.keyboard('{Escape}');
    await waitFor(() => expect(screen.queryByRole('dialog', { name: 'Severity of Log4Shell' })).toBeNull());
  });

  it('says that a CVSS score comes from the vector, and leads to the editor instead of offering an edit without effect', async () => {
    const cvssVector = 'CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:C/C:H/I:H/A:H';
    const { api, user } = open('', [{ cvssScore: 10, cvssVector }, {}]);
    await user.click(within(await rowOf('Log4Shell')).getByTitle('Change CVSS'));
    const note = within(await screen.findByRole('dialog', { name: 'CVSS of Log4Shell' }));
    note.getByText(/comes from the CVSS vector. A vector overrides a manually entered score./u);
    expect(note.queryByRole('textbox')).toBeNull();
    expect(note.getByRole('link', { name: 'Edit the CVSS vector' }).getAttribute('href')).toBe(
      `/dashboard/vulnerabilities/${api.first._id}/edit`,
    );
  });

  it('opens the editors of the current row by S and R, and the pane shows the change', async () => {
    const { api, user } = open();
    await user.click(await rowOf('Log4Shell'));
    const pane = within(await screen.findByRole('complementary', { name: 'Log4Shell' }));
    await pane.findByTitle('Change status');
    await user.keyboard('s');
    await user.click(await screen.findByRole('menuitemradio', { name: 'Mitigated' }));
    await screen.findByText('Status of “Log4Shell” changed to Mitigated');
    expect(pane.getByTitle('Change status').textContent).toBe('Mitigated');
    expect(await statusIn('Log4Shell')).toBe('Mitigated');
    await user.keyboard('r');
    await screen.findByRole('dialog', { name: 'Severity of Log4Shell' });
    expect(api.sent).toHaveLength(1);
    // Its own change is no news to the user.
    expect(pane.queryByText(/^Updated by/u)).toBeNull();
  });

  it('shows viewers plain values', async () => {
    server.use(answer(accounts.me, () => ({ user: userOf({ role: 'viewer' }) })));
    const { user } = open();
    const row = within(await rowOf('Log4Shell'));
    expect(row.getByText('Open')).toBeDefined();
    expect(row.queryByTitle('Change status')).toBeNull();
    await user.keyboard('?');
    const help = within(await screen.findByRole('dialog', { name: 'Keyboard shortcuts' }));
    expect(help.queryByText('Change status')).toBeNull();
    expect(help.getByText('Select the row')).toBeDefined();
  });
});
