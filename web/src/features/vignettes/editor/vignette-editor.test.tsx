import {
  accounts,
  vignettes,
  type Vignette,
  type VignetteContent,
  type VignettePreview,
} from '@riskboard/contract';
import { act, fireEvent, screen, waitFor, within } from '@testing-library/react';
import { describe, expect, it, vi } from 'vitest';
import { endSession } from '../../../lib/session/session.ts';
import { fakeApi } from '../../../testing/fake-api.ts';
import { fill, visit } from '../../../testing/render-app.tsx';
import { newId, userOf } from '../../../testing/rows.ts';
import { answer, counted, refusal, server, useServer } from '../../../testing/server.ts';
import { previewOf, vignetteOf } from '../../../testing/vignettes.ts';

useServer();
// Each step searches the whole page by role, which is slow on a busy machine.
vi.setConfig({ testTimeout: 20_000 });

const cell = (name: string) => screen.getByRole<HTMLInputElement>('textbox', { name });
const field = cell;
const button = (name: string) => screen.getByRole('button', { name });
const isOff = (element: HTMLElement) => element.getAttribute('aria-disabled') === 'true';

interface Sent {
  body: VignetteContent;
  version: string | null;
}

/** The form of a vignette. The server refuses a stale version. */
async function open(
  previews: (scorecard: VignetteContent['scorecard']) => Partial<VignettePreview> = () => ({}),
) {
  const api = fakeApi();
  const there = { vignette: vignetteOf() };
  const sent: Sent[] = [];
  const previewed: { vignetteId?: string; scorecard: VignetteContent['scorecard'] }[] = [];
  server.use(
    answer(vignettes.get, () => there.vignette),
    answer(vignettes.preview, async ({ request }) => {
      const body = (await request.json()) as (typeof previewed)[number];
      previewed.push(body);
      return previewOf(previews(body.scorecard));
    }),
    answer(vignettes.update, async ({ request }) => {
      const version = request.headers.get('if-match');
      if (version !== `"${there.vignette.version}"`) return refusal('stale_version');
      const body = (await request.json()) as VignetteContent;
      sent.push({ body, version });
      there.vignette = { ...there.vignette, ...body, version: there.vignette.version + 1 };
      return there.vignette;
    }),
  );
  const view = visit(`/dashboard/reports/vignettes/${there.vignette._id}/edit`);
  await screen.findByRole('grid', { name: 'Scorecard' });
  return { api, there, sent, previewed, ...view };
}

/** What another user saves meanwhile. */
function saveElsewhere(there: { vignette: Vignette }, change: Partial<Vignette>): void {
  const version = there.vignette.version + 1;
  there.vignette = {
    ...there.vignette,
    ...change,
    version,
    versions: [{ version, at: '2026-11-21T10:00:00.000Z', by: 'Ben Pier' }, ...there.vignette.versions],
  };
}

describe('the scorecard as a grid of inputs', () => {
  it('is one tab stop; arrow keys and Enter move, and a typed rating replaces the old one', async () => {
    const { user } = await open();
    const inputs = within(screen.getByRole('grid')).getAllByRole<HTMLInputElement>('textbox');
    expect(inputs).toHaveLength(32);
    expect(inputs.filter(({ tabIndex }) => tabIndex === 0)).toHaveLength(1);
    await user.click(cell('Modify data, System'));
    await user.keyboard('{ArrowRight}7.5{Enter}');
    expect(cell('Modify data, Application').value).toBe('7.5');
    expect(document.activeElement).toBe(cell('Read data, Application'));
    await user.keyboard('{ArrowLeft}{ArrowUp}');
    expect(document.activeElement).toBe(cell('Modify data, System'));
  });

  it('Delete clears to not rated, and Escape restores what was there before', async () => {
    const { user } = await open();
    await user.click(cell('Modify data, System'));
    await user.keyboard('{Delete}');
    expect(cell('Modify data, System').value).toBe('');
    await user.keyboard('{Escape}');
    expect(cell('Modify data, System').value).toBe('9');
    await user.keyboard('42{Escape}');
    expect(cell('Modify data, System').value).toBe('9');
  });

  it('F2 lets the arrow keys move in the text instead of the grid', async () => {
    const { user } = await open();
    await user.click(cell('Modify data, System'));
    await user.keyboard('{F2}{ArrowRight}');
    expect(document.activeElement).toBe(cell('Modify data, System'));
  });

  it('says why a rating is refused, and does not save it', async () => {
    const { user } = await open();
    await user.click(cell('Modify data, System'));
    await user.keyboard('11');
    expect(cell('Modify data, System').getAttribute('aria-invalid')).toBe('true');
    expect(screen.getByText('Modify data, System: The highest rating is 10.')).toBeDefined();
    expect(isOff(button('Save'))).toBe(true);
    expect(screen.getByText('Correct the marked cells first.')).toBeDefined();
    expect(screen.getByText('Correct the marked cells to update the preview.')).toBeDefined();
  });

  it('takes a block of a spreadsheet', async () => {
    await open();
    fireEvent.paste(cell('Hide activities, Network'), {
      clipboardData: { getData: () => '1\t2\t3\n4\n' },
    });
    expect(cell('Hide activities, Network').value).toBe('1');
    expect(cell('Hide activities, Enterprise').value).toBe('2');
  });

  it('has a note for each rated cell, which Tab leads to', async () => {
    const { user, sent } = await open();
    await user.click(cell('Modify data, Application'));
    await user.tab();
    expect(document.activeElement).toBe(field('Note: Modify data, Application'));
    await user.paste('Backups.');
    await user.click(button('Save'));
    await waitFor(() => expect(sent).toHaveLength(1));
    expect(sent[0]?.body.scorecard[1]).toEqual({
      impact: 'Modify data',
      layer: 'Application',
      subscore: 4,
      notes: 'Backups.',
    });
  });
});

describe('saving a vignette', () => {
  it('makes a new version and says how many scores become stale', async () => {
    const { user, sent, router } = await open();
    expect(screen.getByText('Nothing has changed yet.')).toBeDefined();
    await user.click(cell('Modify data, System'));
    await user.keyboard('8');
    expect(screen.getByText('Saving makes version 4. 12 scores become stale.')).toBeDefined();
    await user.click(button('Save'));
    expect(await screen.findByText('Vignette updated')).toBeDefined();
    expect(screen.getByText('Version 4. 12 scores become stale.')).toBeDefined();
    expect(sent).toEqual([
      {
        version: '"3"',
        body: expect.objectContaining({ name: 'Harbour control', archetypes: ['PLC', 'Web server'] }),
      },
    ]);
    expect(sent[0]?.body.scorecard.map(({ subscore }) => subscore)).toEqual([8, 4, 0]);
    await waitFor(() => expect(router.state.location.pathname).not.toMatch(/edit$/u));
  });

  it('is read-only while it is being saved, so that nothing is entered that the reply would discard', async () => {
    const { user, there } = await open();
    const held = Promise.withResolvers<void>();
    server.use(
      answer(vignettes.update, async () => {
        await held.promise;
        return { ...there.vignette, version: 4 };
      }),
    );
    await user.click(cell('Modify data, System'));
    await user.keyboard('8');
    await user.click(button('Save'));
    await waitFor(() => expect(cell('Modify data, System').readOnly).toBe(true));
    expect(field('Name').readOnly).toBe(true);
    held.resolve();
    expect(await screen.findByText('Vignette updated')).toBeDefined();
  });

  it('asks when another user saved a version meanwhile, and overwrites only what was changed here', async () => {
    const { user, there, sent } = await open();
    await user.click(cell('Modify data, System'));
    await user.keyboard('8');
    saveElsewhere(there, {
      domain: 'Ports',
      scorecard: [
        { impact: 'Modify data', layer: 'System', subscore: 10, notes: 'Cranes move.' },
        { impact: 'Hide activities', layer: 'System', subscore: 2, notes: '' },
      ],
    });
    await user.click(button('Save'));
    const dialog = within(await screen.findByRole('dialog', { name: 'Changed by Ben Pier' }));
    const rows = dialog.getAllByRole('row').map(({ textContent }) => textContent);
    expect(rows).toContain('Modify data, System8 (Cranes move.)10 (Cranes move.)');
    expect(rows).toContain('DomainNot changed by you; the saved value is keptPorts');
    await user.click(dialog.getByRole('button', { name: 'Overwrite' }));
    expect(await screen.findByText('Vignette updated')).toBeDefined();
    expect(sent.at(-1)?.version).toBe('"4"');
    expect(sent.at(-1)?.body.domain).toBe('Ports');
    expect(sent.at(-1)?.body.scorecard.map(({ impact, subscore }) => [impact, subscore])).toEqual([
      ['Modify data', 8],
      ['Hide activities', 2],
    ]);
  });

  it('warns at once when another user saves a version during the edit', async () => {
    const { api, user, there, connected } = await open();
    await connected();
    await user.click(cell('Modify data, System'));
    await user.keyboard('8');
    saveElsewhere(there, { domain: 'Ports' });
    api.publish({
      type: 'vignette.changed',
      ids: [there.vignette._id],
      count: 1,
      action: 'updated',
      by: null,
    });
    expect(await screen.findByText(/Ben Pier saved version 4 while you were editing\./u)).toBeDefined();
    await user.click(button('Review'));
    const dialog = within(await screen.findByRole('dialog', { name: 'Changed by Ben Pier' }));
    await user.click(dialog.getByRole('button', { name: 'Reload' }));
    expect(field('Domain').value).toBe('Ports');
    expect(cell('Modify data, System').value).toBe('9');
  });

  it('follows what another user saves while nothing was changed here', async () => {
    const { api, there, connected } = await open();
    await connected();
    saveElsewhere(there, { domain: 'Ports' });
    api.publish({
      type: 'vignette.changed',
      ids: [there.vignette._id],
      count: 1,
      action: 'updated',
      by: null,
    });
    await waitFor(() => expect(field('Domain').value).toBe('Ports'));
    expect(screen.queryByText(/while you were editing/u)).toBeNull();
  });

  it('creates the vignette again when another user deleted it during the edit', async () => {
    const { api, user, there, connected } = await open();
    await connected();
    await user.click(cell('Modify data, System'));
    await user.keyboard('8');
    const created = vignetteOf({ _id: newId(), version: 1 });
    server.use(
      answer(vignettes.get, () => undefined),
      answer(vignettes.create, () => created),
    );
    api.publish({
      type: 'vignette.changed',
      ids: [there.vignette._id],
      count: 1,
      action: 'deleted',
      by: null,
    });
    expect(await screen.findByText(/Another user deleted this vignette\./u)).toBeDefined();
    server.use(answer(vignettes.get, () => created));
    await user.click(button('Create'));
    expect(await screen.findByText('Vignette created')).toBeDefined();
  });

  it('shows the server’s refusal and keeps what was typed', async () => {
    const { user } = await open();
    server.use(
      answer(vignettes.update, () =>
        refusal('invalid', 'A vignette with this name exists.', [
          { path: 'name', message: 'A vignette with this name exists.' },
        ]),
      ),
    );
    await fill(user, field('Name'), 'SCADA');
    await user.click(button('Save'));
    const problem = await screen.findByRole('alert', { name: 'There is a problem' });
    expect(problem.textContent).toContain('A vignette with this name exists.');
    await waitFor(() => expect(document.activeElement).toBe(problem));
    expect(field('Name').value).toBe('SCADA');
  });

  it('asks before unsaved changes are lost', async () => {
    const { user } = await open();
    await user.click(cell('Modify data, System'));
    await user.keyboard('8');
    await user.click(button('Cancel'));
    const dialog = within(await screen.findByRole('alertdialog', { name: 'Leave without saving?' }));
    await user.click(dialog.getByRole('button', { name: 'Keep editing' }));
    expect(cell('Modify data, System').value).toBe('8');
  });
});

describe('the preview', () => {
  const move = {
    _id: newId(),
    name: 'Crane overflow',
    cveId: 'CVE-2026-1',
    cwe: ['CWE-787'],
    impactBefore: 'Modify data at System',
    impactAfter: 'Read data at Network',
    before: 61.2,
    after: 40,
    rankBefore: 2,
    rankAfter: 9,
  };
  const card = () => within(screen.getByRole('region', { name: 'Preview' }));

  it('shows what the typed scorecard moves, against the stored vignette', async () => {
    const { user, there, previewed } = await open((scorecard) =>
      scorecard[0]?.subscore === 2
        ? { higher: 1, lower: 3, unchanged: 8, meanAfter: 35.5, moves: [move] }
        : {},
    );
    expect(await card().findByText(/No score differs from Harbour control\./u)).toBeDefined();
    await user.click(cell('Modify data, System'));
    await user.keyboard('2');
    const moves = within(await card().findByRole('list', { name: 'Largest moves' }));
    const [item] = moves.getAllByRole('listitem');
    for (const text of ['Crane overflow', '61.2', '40.0', '−21.2', 'Rank 2', '9', 'Modify data at System'])
      expect(item?.textContent).toContain(text);
    expect(card().getByText('Lower').parentElement?.textContent).toBe('Lower3');
    expect(card().getByText('Mean score').parentElement?.textContent).toMatch(/40\.0.*35\.5/u);
    expect(previewed.at(-1)?.vignetteId).toBe(there.vignette._id);
  });

  it('does not ask again for a note, and keeps the last result while a cell is invalid', async () => {
    const { user, previewed } = await open(() => ({ lower: 3, moves: [move] }));
    await card().findByRole('list', { name: 'Largest moves' });
    const before = previewed.length;
    await user.click(cell('Modify data, Application'));
    await user.tab();
    await user.paste('Backups.');
    await user.click(cell('Modify data, System'));
    await user.keyboard('99');
    await screen.findByText('Correct the marked cells to update the preview.');
    expect(card().getByRole('list', { name: 'Largest moves' })).toBeDefined();
    await user.keyboard('{Escape}7');
    await waitFor(() => expect(previewed.at(-1)?.scorecard[0]?.subscore).toBe(7));
    // The connection of the events repeats the first preview; a note does not. The first of the two digits, and the value
    // that Escape restores, may have been sent; an invalid rating is never sent.
    const ratings = previewed
      .slice(before - 1)
      .map(({ scorecard }) => scorecard.map(({ subscore }) => `${subscore}`).join(' '));
    const change = ratings.findIndex((one) => one !== ratings[0]);
    expect(JSON.stringify(previewed.slice(0, before - 1 + change))).not.toContain('Backups.');
    expect(ratings.slice(change).filter((one, at, all) => one === all[at - 1])).toEqual([]);
    expect(ratings.join(' ').split(' ')).not.toContain('99');
  });

  it('says why it failed, and can be retried', async () => {
    const { user } = await open();
    server.use(answer(vignettes.preview, () => refusal('unavailable', 'The preview took too long.')));
    await user.click(cell('Modify data, System'));
    await user.keyboard('2');
    expect(await card().findByText(/The preview took too long\./u)).toBeDefined();
    server.use(answer(vignettes.preview, () => previewOf({ lower: 3, moves: [move] })));
    await user.click(card().getByRole('button', { name: 'Retry' }));
    expect(await card().findByText('Crane overflow')).toBeDefined();
  });
});

describe('a new vignette', () => {
  it('needs a name and one rated cell', async () => {
    const { user } = await (async () => {
      fakeApi();
      server.use(answer(vignettes.preview, () => previewOf()));
      return visit('/dashboard/reports/vignettes/new');
    })();
    expect(await screen.findByText('Required: Name.')).toBeDefined();
    await fill(user, field('Name'), 'Locks');
    expect(screen.getByText('Rate at least one cell.')).toBeDefined();
    await user.click(cell('Read data, Network'));
    await user.keyboard('0');
    expect(isOff(button('Create'))).toBe(false);
    const created = vignetteOf({ name: 'Locks', scorecardName: 'Locks', version: 1 });
    const bodies: unknown[] = [];
    server.use(
      answer(vignettes.get, () => created),
      answer(vignettes.create, async ({ request }) => {
        bodies.push(await request.json());
        return created;
      }),
    );
    await user.click(button('Create'));
    expect(await screen.findByText('Vignette created')).toBeDefined();
    expect(screen.getByText(`ID ${created._id} · Locks`)).toBeDefined();
    expect(bodies).toEqual([
      expect.objectContaining({
        name: 'Locks',
        scorecard: [{ impact: 'Read data', layer: 'Network', subscore: 0, notes: '' }],
      }),
    ]);
    expect(await screen.findByRole('heading', { name: 'Locks', level: 1 })).toBeDefined();
  });
});

describe('a vignette whose form is being left', () => {
  it('is created once however often Create is clicked', async () => {
    fakeApi();
    const created = vignetteOf({ name: 'Locks', version: 1 });
    server.use(
      answer(vignettes.preview, () => previewOf()),
      answer(vignettes.get, () => created),
    );
    const { user, router } = visit('/dashboard/reports/vignettes/new');
    await fill(user, await screen.findByRole('textbox', { name: 'Name' }), 'Locks');
    await user.click(cell('Read data, Network'));
    await user.keyboard('0');
    const calls = counted(vignettes.create, () => created);
    vi.spyOn(router, 'navigate').mockReturnValueOnce(new Promise(() => undefined));
    await user.click(button('Create'));
    await screen.findByText('Vignette created');
    await user.click(button('Create'));
    await waitFor(() => expect(isOff(button('Create'))).toBe(false));
    expect(calls.times).toBe(1);
  });
});

describe('unsaved input', () => {
  it('is asked about before the same path starts with the content of another version', async () => {
    const { user, router } = await open();
    await fill(user, field('Description'), 'Typed text.');
    void router.navigate({ to: '.', search: { version: 1 } } as never);
    const question = within(await screen.findByRole('alertdialog', { name: 'Leave without saving?' }));
    await user.click(question.getByRole('button', { name: 'Keep editing' }));
    expect(field('Description').value).toBe('Typed text.');
  });
});

describe('input of a session that ended', () => {
  it('is restored after the next login with the version that the user saw, and can be discarded', async () => {
    const { there, sent, user, router } = await open();
    await fill(user, field('Description'), 'Typed text.');
    await user.click(cell('Modify data, System'));
    await user.keyboard('2');
    server.use(
      answer(accounts.me, () => refusal('not_signed_in')),
      answer(accounts.refresh, () => refusal('not_signed_in')),
      answer(accounts.login, () => {
        server.use(answer(accounts.me, () => ({ user: userOf() })));
        return { user: userOf() };
      }),
    );
    act(() => endSession());
    await user.type(await screen.findByLabelText('Password'), 'correct horse battery{Enter}');
    await screen.findByText('Your unsaved changes were restored.');
    expect(router.state.location.pathname).toBe(`/dashboard/reports/vignettes/${there.vignette._id}/edit`);
    expect(field('Description').value).toBe('Typed text.');
    expect(cell('Modify data, System').value).toBe('2');
    saveElsewhere(there, { notes: 'Newer notes.' });
    await user.click(button('Save'));
    await screen.findByRole('dialog');
    expect(sent).toEqual([]);
    await user.keyboard('{Escape}');
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
    await user.click(button('Discard changes'));
    expect(field('Description').value).toBe(vignetteOf().description);
    expect(cell('Modify data, System').value).toBe('9');
    expect(screen.queryByText('Your unsaved changes were restored.')).toBeNull();
  });
});
