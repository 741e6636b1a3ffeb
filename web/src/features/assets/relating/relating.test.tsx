import { accounts, assets, threats, type Suggestion } from '@riskboard/contract';
import { screen, within } from '@testing-library/react';
import type { ReactNode } from 'react';
import { beforeEach, describe, expect, it } from 'vitest';
import { fakeApi, pageOf } from '../../../testing/fake-api.ts';
import { answerThreat } from '../../../testing/record-api.ts';
import { threatDetailOf } from '../../../testing/records.ts';
import { renderPart, setupUser, visit } from '../../../testing/render-app.tsx';
import { newId, threatOf, userOf } from '../../../testing/rows.ts';
import { answer, refusal, server, useServer } from '../../../testing/server.ts';
import { Toaster } from '../../../ui/feedback/toaster.tsx';
import { RelateButtons } from './relate-buttons.tsx';
import { RemoveRelation } from './remove-relation.tsx';
import { SuggestedRecords } from './suggested-records.tsx';

useServer();
beforeEach(() => void fakeApi());

const text = 'The description contains the asset’s name, “Gate”.';
const suggested = (name: string): Suggestion => ({
  _id: newId(),
  name,
  subtitle: '',
  score: 8,
  reasons: [{ kind: 'name', text, quote: 'Gate' }],
});
const detail = { _id: newId(), name: 'Gate server' };

interface Answers {
  suggestions?: { threats: Suggestion[]; vulnerabilities: Suggestion[] };
}

/** Answers the calls of an asset's relations. @returns the bodies of the calls that change relations */
function answerRelations({ suggestions = { threats: [], vulnerabilities: [] } }: Answers = {}): unknown[] {
  const bodies: unknown[] = [];
  server.use(
    answer(assets.suggestions, () => suggestions),
    answer(assets.relate, async ({ request }) => {
      const body = (await request.json()) as { add: object; remove: object };
      bodies.push(body);
      return { added: body.add, removed: body.remove } as never;
    }),
  );
  return bodies;
}

describe('the suggestions of an asset', () => {
  it('show each reason, and relate one or all of a noun; Undo removes exactly those', async () => {
    const user = setupUser();
    const [flood, fire] = [suggested('Flood'), suggested('Fire')];
    const bodies = answerRelations({ suggestions: { threats: [flood, fire], vulnerabilities: [] } });
    renderPart(<SuggestedRecords assetId={detail._id} />);
    const card = await screen.findByRole('region', { name: 'Suggested threats' });
    expect(screen.queryByRole('region', { name: 'Suggested vulnerabilities' })).toBeNull();
    expect(within(card).getAllByText(text)).toHaveLength(2);
    await user.click(within(card).getByRole('button', { name: 'Relate Flood' }));
    // The row of the clicked button disappears.
    expect(document.activeElement).toBe(within(card).getByRole('button', { name: 'Relate Fire' }));
    const none = { threats: [], vulnerabilities: [] };
    await expect.poll(() => bodies).toEqual([{ add: { ...none, threats: [flood._id] }, remove: none }]);
    await user.click(await screen.findByRole('button', { name: 'Relate all 2' }));
    await expect.poll(() => bodies[1]).toMatchObject({ add: { threats: [flood._id, fire._id] } });
  });

  it('that were hidden take the focus from the button that shows them', async () => {
    const names = ['One', 'Two', 'Three', 'Four', 'Five', 'Six', 'Seven'];
    answerRelations({ suggestions: { threats: names.map(suggested), vulnerabilities: [] } });
    const { user } = renderPart(<SuggestedRecords assetId={detail._id} />);
    await user.click(await screen.findByRole('button', { name: 'Show 2 more' }));
    expect(document.activeElement).toBe(screen.getByRole('link', { name: 'Six' }));
  });

  it('are shown only when there are suggestions', async () => {
    let calls = 0;
    server.use(
      answer(assets.suggestions, () => {
        calls += 1;
        return { threats: [], vulnerabilities: [] };
      }),
    );
    renderPart(<SuggestedRecords assetId={detail._id} />);
    await expect.poll(() => calls).toBe(1);
    expect(screen.queryByRole('region')).toBeNull();
  });

  it('can be read but not accepted by a viewer', async () => {
    server.use(answer(accounts.me, () => ({ user: userOf({ role: 'viewer' }) })));
    answerRelations({ suggestions: { threats: [suggested('Flood')], vulnerabilities: [] } });
    renderPart(<SuggestedRecords assetId={detail._id} />);
    const button = await screen.findByRole('button', { name: 'Relate Flood' });
    await expect
      .poll(() => button.getAttribute('aria-disabled') ?? button.getAttribute('disabled'))
      .not.toBeNull();
  });
});

describe('the dialog that relates threats to an asset', () => {
  it('offers suggestions first and shows related threats as such, and relates what was chosen', async () => {
    const user = setupUser();
    const flood = suggested('Flood');
    const [fire, storm] = [threatOf({ name: 'Fire' }), threatOf({ name: 'Storm' })];
    const bodies = answerRelations({ suggestions: { threats: [flood], vulnerabilities: [] } });
    server.use(
      answer(threats.list, ({ url }) => {
        const { rows, ...page } = pageOf(url.searchParams.has('assetId') ? [storm] : [fire, storm], url);
        return { threats: rows, ...page };
      }),
    );
    renderPart(<RelateButtons detail={detail} />);
    await user.click(await screen.findByRole('button', { name: 'Relate threats' }));
    const dialog = await screen.findByRole('dialog', { name: 'Relate threats' });
    const checkbox = (name: string) => within(dialog).findByRole('checkbox', { name });
    const related = await checkbox('Storm');
    expect(related.matches(':disabled:checked')).toBe(true);
    expect(within(dialog).getByText('Related')).toBeDefined();
    const part = within(dialog).getByRole('region', { name: 'Suggested' });
    expect(within(part).getByText(text)).toBeDefined();
    await user.click(within(part).getByRole('button', { name: 'Select all 1' }));
    await user.click(await checkbox('Fire'));
    await user.click(within(dialog).getByRole('button', { name: 'Relate 2 threats' }));
    await expect.poll(() => bodies).toMatchObject([{ add: { threats: [flood._id, fire._id] } }]);
    await expect.poll(() => screen.queryByRole('dialog')).toBeNull();
  });

  it('names the threats that no longer exist', async () => {
    const user = setupUser();
    const [fire, storm] = [threatOf({ name: 'Fire' }), threatOf({ name: 'Storm' })];
    answerRelations();
    const message = `This threat does not exist: ${storm._id}.`;
    server.use(
      answer(threats.list, ({ url }) => {
        const { rows, ...page } = pageOf(url.searchParams.has('assetId') ? [] : [fire, storm], url);
        return { threats: rows, ...page };
      }),
      answer(assets.relate, () =>
        refusal('invalid', 'One of the threats does not exist.', [{ path: 'add.threats', message }]),
      ),
    );
    renderPart(<RelateButtons detail={detail} />);
    await user.click(await screen.findByRole('button', { name: 'Relate threats' }));
    await user.click(await screen.findByRole('checkbox', { name: 'Fire' }));
    await user.click(await screen.findByRole('checkbox', { name: 'Storm' }));
    await user.click(screen.getByRole('button', { name: 'Relate 2 threats' }));
    const shown = await screen.findByText('This threat does not exist: Storm.');
    await user.click(screen.getByRole('checkbox', { name: 'Storm' }));
    await expect.poll(() => shown.isConnected).toBe(false);
  });
});

describe('relations that another user changed first', () => {
  const record = { _id: newId(), name: 'Fire' };
  it.each<[done: string, show: () => ReactNode, button: string]>([
    [
      'removed',
      () => <RemoveRelation assetId={detail._id} noun="threats" record={record} />,
      'Remove relation to Fire',
    ],
    ['related', () => <SuggestedRecords assetId={detail._id} />, 'Relate Flood'],
  ])('were %s already, as the message says', async (done, show, button) => {
    const none = { threats: [], vulnerabilities: [] };
    answerRelations({ suggestions: { threats: [suggested('Flood')], vulnerabilities: [] } });
    server.use(answer(assets.relate, () => ({ added: none, removed: none })));
    const { user } = renderPart(
      <>
        {show()}
        <Toaster />
      </>,
    );
    await user.click(await screen.findByRole('button', { name: button }));
    await screen.findByText('Relations unchanged');
    expect(screen.getByText(`They were ${done} already.`)).toBeDefined();
  });
});

describe('the suggested assets of a threat', () => {
  /** The page of a threat with a suggestion for each asset. `free` are those that it is not related to yet. */
  async function open(candidates: readonly Suggestion[], free: readonly Suggestion[] = candidates) {
    const user = setupUser();
    const record = threatDetailOf();
    const replies = answerThreat({ detail: record, suggestions: [...candidates] });
    const bodies: unknown[] = [];
    server.use(
      answer(threats.updateMany, async ({ request }) => {
        bodies.push(await request.json());
        replies.suggestions = [];
        const counts = { updatedCount: Math.min(1, free.length), unchangedCount: free.length === 0 ? 1 : 0 };
        const assetIds = free.length > 0 && { assetIds: free.map(({ _id }) => _id) };
        return { success: true as const, ...counts, ...assetIds, message: 'Changed.' };
      }),
    );
    visit(`/dashboard/threats/${record._id}`);
    const card = within(await screen.findByRole('region', { name: 'Suggested assets' }));
    return { user, record, bodies, card };
  }

  it('are related through the record, and are shown only when there are suggestions', async () => {
    const candidate = suggested('Gate server');
    const { user, record, bodies, card } = await open([candidate]);
    expect(card.getByText(text)).toBeDefined();
    await user.click(card.getByRole('button', { name: 'Relate Gate server' }));
    await expect.poll(() => bodies).toEqual([{ ids: [record._id], change: { addAssets: [candidate._id] } }]);
    await expect.poll(() => screen.queryByRole('region', { name: 'Suggested assets' })).toBeNull();
  });

  it('Undo removes only the relations that were added, not those that another user added meanwhile', async () => {
    const [added, other] = [suggested('Gate server'), suggested('Gate camera')];
    const { user, record, bodies, card } = await open([added, other], [added]);
    await user.click(card.getByRole('button', { name: 'Relate all 2' }));
    await screen.findByText(`1 asset related to “${record.name}”.`);
    await user.click(screen.getByRole('button', { name: 'Undo' }));
    await screen.findByText('Relations removed');
    expect(bodies[1]).toEqual({ ids: [record._id], change: { removeAssets: [added._id] } });
  });

  it('Undo says when another user has removed the relations already', async () => {
    const free = [suggested('Gate server')];
    const { user, card } = await open([...free], free);
    await user.click(card.getByRole('button', { name: 'Relate Gate server' }));
    const undo = await screen.findByRole('button', { name: 'Undo' });
    free.pop();
    await user.click(undo);
    expect(await screen.findByText('They were removed already.')).toBeDefined();
  });

  it('offers no Undo when another user has related them all meanwhile', async () => {
    const { user, card } = await open([suggested('Gate server')], []);
    await user.click(card.getByRole('button', { name: 'Relate Gate server' }));
    await screen.findByText('They were related already.');
    expect(screen.queryByRole('button', { name: 'Undo' })).toBeNull();
  });
});
