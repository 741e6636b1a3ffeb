import {
  accounts,
  cwss,
  vignettes,
  type CwssExplanation,
  type VignetteSummary,
  type VulnerabilityDetail,
} from '@riskboard/contract';
import { act, screen, waitFor, within } from '@testing-library/react';
import { HttpResponse } from 'msw';
import { beforeEach, describe, expect, test } from 'vitest';
import { calculationRequest } from '../../../../lib/cwss/calculation-request.ts';
import { cwssResultOf, explanationOf } from '../../../../testing/cwss.ts';
import { endSession } from '../../../../lib/session/session.ts';
import { fakeApi, type FakeApi } from '../../../../testing/fake-api.ts';
import { answerVulnerability } from '../../../../testing/record-api.ts';
import { vulnerabilityDetailOf } from '../../../../testing/records.ts';
import { renderPart, visit } from '../../../../testing/render-app.tsx';
import { newId, userOf, vulnerabilityOf } from '../../../../testing/rows.ts';
import { differenceText } from './factor-text.ts';
import { CwssSection } from './cwss-section.tsx';
import { answer, counted, refusal, server, useServer } from '../../../../testing/server.ts';

useServer();
let api: FakeApi;
beforeEach(() => {
  api = fakeApi();
});

const summaryOf = (_id: string, name: string): VignetteSummary => ({
  _id,
  id: _id,
  name,
  scorecardName: name,
  origin: 'Riskboard',
  originalFilename: '',
  version: 2,
  ratedCells: 20,
  vulnerabilities: 1,
  createdAt: '2026-11-20T10:00:00.000Z',
  updatedAt: '2026-11-20T10:00:00.000Z',
});

type HistoryEntry = CwssExplanation['history'][number];

interface Opened {
  explanation?: CwssExplanation;
  detail?: Partial<VulnerabilityDetail>;
}

/** Answers the calls of a scored vulnerability's page. A test may change the returned explanation between calls. */
function prepare({ explanation = explanationOf(), detail = {} }: Opened = {}) {
  const replies = { explanation };
  const there = answerVulnerability({
    detail: vulnerabilityDetailOf({ cwssScore: explanation.score, ...detail }),
  });
  const mine = cwssResultOf();
  const other = cwssResultOf({ weaknesses: [] }, 2);
  const calls = counted(cwss.explanation, ({ url }) => {
    const version = url.searchParams.get('version');
    if (version === null || version === '2') return replies.explanation;
    if (version !== '1') return undefined;
    return { ...replies.explanation, version: 1, vignetteVersion: 1 };
  });
  server.use(
    answer(cwss.preview, ({ url }) =>
      url.searchParams.get('vignetteId') === other.vignetteId ? other : undefined,
    ),
    answer(vignettes.list, () => ({
      items: [summaryOf(mine.vignetteId, mine.vignetteName), summaryOf(other.vignetteId, other.vignetteName)],
      total: 2,
      page: 1,
      pageSize: 100,
      nextCursor: null,
    })),
  );
  const openPage = () => visit(`/dashboard/vulnerabilities/${there.detail._id}`);
  return { there, replies, calls, other, openPage };
}

/** Shows the section by itself. */
async function open(opened: Opened = {}) {
  const answers = prepare(opened);
  const part = renderPart(<CwssSection detail={answers.there.detail} />);
  await screen.findByRole('region', { name: 'CWSS' });
  return { ...answers, ...part };
}

/** A card of the section. */
const card = async (name: string) => within(await screen.findByRole('region', { name }));
const scored = () => screen.findByRole('status', { name: 'CWSS score' });

describe('the CWSS part of a vulnerability’s page', () => {
  test('says what CWSS is before the first calculation, and requests no explanation', async () => {
    const { calls, there, user } = await open({ detail: { cwssScore: null, cwssOverrides: ['EC'] } });
    const section = await card('CWSS');
    section.getByText(/^CWSS scores a weakness from 0 to 100/u);
    section.getByText('Factors set by analysts: External Control Effectiveness.');
    expect(calls.times).toBe(0);
    await user.click(section.getByRole('button', { name: 'Calculate CWSS' }));
    expect(calculationRequest.get()).toMatchObject({ record: { _id: there.detail._id } });
    calculationRequest.set(null);
  });

  test('shows the score of 100 with its vignette, versions, author, sub-scores and vector', async () => {
    // CVSS 2.0 states no interaction, whose default weight has two decimals.
    const explanation = explanationOf({}, { cvssVector: 'AV:N/AC:L/Au:N/C:P/I:P/A:P' });
    await open({ explanation });
    expect((await scored()).textContent).toBe(`${explanation.score.toFixed(1)}/100`);
    const section = await card('CWSS');
    const vignette = section.getByRole('link', { name: 'Retail web shop' }).getAttribute('href');
    expect(vignette).toBe(`/dashboard/reports/vignettes/${explanation.vignetteId}?version=2`);
    section.getByText(/version 2$/u);
    section.getByText(/by Ada Lovelace$/u);
    section.getByText('CWSS 1.0.1, mapping 1; CWE 4.15');
    // All decimals, as in 0.7325: the product of the texts is the score before rounding.
    expect(String(explanation.attackSurface)).toMatch(/^0\.\d{4}$/u);
    for (const [term, text] of [
      ['Base Finding', `${explanation.base} of 100`],
      ['Attack Surface', `${explanation.attackSurface} of 1`],
      ['Environmental', `${explanation.environmental} of 1`],
      ['Score before rounding', String(explanation.raw)],
    ] as const)
      expect(section.getByText(term, { selector: 'dt' }).nextElementSibling?.textContent).toBe(text);
    section.getByText(explanation.vector);
    section.getByRole('button', { name: 'Copy CWSS vector' });
    const link = section.getByRole('link', { name: 'Open in calculator' });
    const address = new URL(link.getAttribute('href') ?? '', 'https://r');
    expect(address.pathname).toBe('/dashboard/cwss');
    expect(address.searchParams.get('vector')).toBe(explanation.vector);
  });

  test('lists all 16 factors with value, weight, source, reason, share and range', async () => {
    const { replies } = await open();
    const table = within(await screen.findByRole('table', { name: 'CWSS factors' }));
    const row = (name: RegExp) => within(table.getByRole('row', { name }));
    expect(table.getAllByRole('button', { name: /^Set /u })).toHaveLength(16);
    for (const group of ['Base Finding', 'Attack Surface', 'Environmental'])
      expect(table.getByRole('rowheader', { name: group })).toBeDefined();
    const business = row(/^Business Impact BI/u);
    business.getByText('Asset');
    business.getByText('Web shop has the criticality 4 of 5.');
    business.getByText('High');
    business.getByText('H, 0.9');
    const factor = replies.explanation.factors.find(({ code }) => code === 'BI');
    expect(business.getAllByText(`${factor?.share?.toFixed(1)}%`)).toHaveLength(2);
    expect(business.getAllByText(String(factor?.lowest.score.toFixed(1)))).toHaveLength(2);
    expect(row(/^External Control Effectiveness/u).getAllByText('Multiplies')).toHaveLength(2);
  });

  test('shows the reason of an analyst, who set it, and the suggestion that it replaces', async () => {
    const override = { value: 'B', weight: 0.3, reason: 'A firewall blocks it.', by: 'Ben Pier' };
    const facts = { overrides: { EC: { code: 'B', weight: 3000, reason: override.reason } } };
    await open({
      explanation: explanationOf(
        { overrides: { EC: { ...override, at: '2026-11-20T10:00:00.000Z' } } },
        facts,
      ),
    });
    const table = within(await screen.findByRole('table', { name: 'CWSS factors' }));
    const row = within(table.getByRole('row', { name: /^External Control Effectiveness EC/u }));
    row.getByText('Analyst');
    row.getByText('A firewall blocks it.');
    row.getByText(/^Set by Ben Pier/u);
    expect(row.getByText(/^Suggested: None \(1\.0\)\. No control outside/u)).toBeDefined();
  });

  test('names the winning impact, and what each weakness contributes or why it does not', async () => {
    const { replies } = await open();
    const { technicalImpact } = replies.explanation;
    const impact = await card('Technical impact');
    impact.getByText(technicalImpact.impact ?? '');
    impact.getByText(`at the layer ${technicalImpact.layer}`, { exact: false });
    impact.getByText('inherited from its ancestor CWE-707', { exact: false });
    const weaknesses = within(impact.getByRole('list', { name: 'Weaknesses' })).getAllByRole('listitem');
    expect(weaknesses).toHaveLength(3);
    within(weaknesses[0] as HTMLElement).getByText('Decides');
    within(weaknesses[0] as HTMLElement).getByText('Inherited from CWE-707');
    within(weaknesses[2] as HTMLElement).getByText('No contribution');
    within(weaknesses[2] as HTMLElement).getByText('A category; it has no consequences.');
  });

  test('says why technical impact has its default value', async () => {
    await open({ explanation: explanationOf({}, { weaknesses: [] }) });
    const impact = await card('Technical impact');
    impact.getByText('Technical Impact has its default value.');
    expect(impact.getByText('The vulnerability has no CWE.')).toBeDefined();
  });

  const overrides = { TI: { code: 'L', weight: 3000, reason: 'Only in a sandbox.' } };

  test('says that an analyst set technical impact, and that the rating of the vignette is the suggestion', async () => {
    await open({ explanation: explanationOf({}, { overrides }) });
    const impact = await card('Technical impact');
    impact.getByText('An analyst set Technical Impact to Low (0.3).');
    impact.getByText(/^Suggested: Quantified \(0\.\d\)\. The rating of the vignette is below\.$/u);
    impact.getByText('at the layer', { exact: false });
    impact.getByText('Suggests');
    expect(impact.queryByText('Decides')).toBeNull();
  });

  test('says that an analyst set technical impact when no impact is rated, here and beside another vignette', async () => {
    const { user, other } = await open({ explanation: explanationOf({}, { overrides, weaknesses: [] }) });
    const impact = await card('Technical impact');
    impact.getByText('An analyst set Technical Impact to Low (0.3).');
    impact.getByText('Suggested: Default (0.6). The vulnerability has no CWE.');
    expect(impact.queryByText('Technical Impact has its default value.')).toBeNull();
    const compare = await card('Compare with another vignette');
    await user.click(await compare.findByRole('combobox', { name: 'Vignette' }));
    await user.click(await screen.findByRole('option', { name: other.vignetteName }));
    const row = await compare.findByRole('row', { name: /^Winning impact/u });
    expect([...row.children].map(({ textContent }) => textContent)).toEqual([
      'Winning impact',
      'None rated; set by an analyst',
      'Default: no impact is rated',
    ]);
  });

  test('says what to do about factors that are not known', async () => {
    const explanation = explanationOf({}, { asset: null, cvssVector: '', cveId: '', weaknesses: [] });
    const { there } = await open({
      explanation,
      detail: { cvssVector: '', cveId: '', cwe: [], relatedAssets: [] },
    });
    const { completeness } = explanation;
    const section = await card('CWSS');
    const all = explanation.factors.filter(({ source }) => source === 'default').length;
    const assumed = all - completeness.default - completeness.unknown;
    expect(assumed).toBeGreaterThan(0);
    section.getByText(`${completeness.known} of 16 factors have a value, ${assumed} of them assumed.`);
    expect(screen.getAllByText('Assumed')).toHaveLength(all);
    const steps = within(section.getByRole('list', { name: 'What would complete the score' }));
    for (const name of ['Add a CVSS vector', 'Add a CWE', 'Add a CVE id', 'Relate an asset'])
      expect(steps.getByRole('link', { name }).getAttribute('href')).toBe(
        `/dashboard/vulnerabilities/${there.detail._id}/edit`,
      );
    steps.getByText(/^for Acquired Privilege, Required Privilege, Access Vector/u);
    steps.getByRole('button', { name: 'Deployment Scope' });
  });

  test('orders the factors by how much each would change the score', async () => {
    const { replies, user } = await open();
    const { explanation } = replies;
    const influence = await card('What would change it most');
    const first = explanation.factors.toSorted(
      (a, b) => b.highest.score - b.lowest.score - (a.highest.score - a.lowest.score),
    )[0];
    expect(influence.getAllByRole('listitem')).toHaveLength(6);
    within(influence.getAllByRole('listitem')[0] as HTMLElement).getByRole('button', {
      name: new RegExp(
        `: ${explanation.score.toFixed(1)} → ${first?.lowest.score.toFixed(1)}\\. Set it\\.$`,
        'u',
      ),
    });
    await user.click(influence.getByRole('button', { name: 'Show all 16' }));
    expect(influence.getAllByRole('listitem')).toHaveLength(16);
  });

  test('shows another vignette beside the applied one, with the difference and a warning', async () => {
    const { user, replies, other } = await open();
    const compare = await card('Compare with another vignette');
    await user.click(await compare.findByRole('combobox', { name: 'Vignette' }));
    expect(screen.queryByRole('option', { name: 'Retail web shop' })).toBeNull();
    await user.click(await screen.findByRole('option', { name: other.vignetteName }));
    const table = within(await compare.findByRole('table', { name: 'Two vignettes side by side' }));
    compare.getByText(/^Scores of different vignettes are not comparable/u);
    const cells = [...table.getByRole('row', { name: /^Score / }).children].map((cell) => cell.textContent);
    const difference = other.score - replies.explanation.score;
    expect(cells).toEqual([
      'Score',
      replies.explanation.score.toFixed(1),
      `${other.score.toFixed(1)}${differenceText(difference)}`,
      differenceText(difference),
    ]);
    table.getByRole('row', { name: /^Winning impact/u });
    table.getByRole('row', { name: /^Technical Impact Quantified 0\.9 Default 0\.6/u });
    compare.getByText(/^The other \d+ factors are the same\.$/u);
  });

  test('lists every score with who, why and what changed, and opens an earlier one read-only', async () => {
    const { user, router } = await open();
    const history = await card('Score history');
    const first = history.getByRole('link', { name: 'Version 1' }).closest('li');
    history.getByText('Business Impact: Default → High');
    history.getByText('Technical Impact: Quantified 0.7 → Quantified 0.9');
    history.getByText(/^Factors changed/u);
    expect(first?.textContent).toContain('by Ben Pier');
    await user.click(history.getByRole('link', { name: 'Version 1' }));
    const section = await card('CWSS');
    await section.findByText(/^Version 1 of 2, as it was calculated then/u);
    expect(router.state.location.search).toMatchObject({ version: 1 });
    expect(section.queryByRole('button', { name: 'Set factors' })).toBeNull();
    const set = screen.getByRole('button', { name: 'Set Business Impact' });
    expect(set.getAttribute('aria-disabled')).toBe('true');
    await user.click(section.getByRole('link', { name: 'Show the newest score' }));
    await screen.findByRole('button', { name: 'Set factors' });
  });

  test('names a vignette that was deleted without a link', async () => {
    const explanation = explanationOf({ vignetteExists: false });
    await open({ explanation });
    await scored();
    const section = await card('CWSS');
    section.getByText(explanation.vignetteName);
    expect(section.queryByRole('link', { name: explanation.vignetteName })).toBeNull();
  });

  test.each<[string, { id?: string; name?: string }, RegExp]>([
    ['of a renamed vignette are compared', { name: 'Shop before' }, /^60\.5\+20\.0.*version 2$/u],
    [
      'of another vignette are not compared',
      { id: newId(), name: 'Bank' },
      /^60\.5Version.*; not comparable with Bank$/u,
    ],
    [
      'of another vignette of the same name are not compared',
      { id: newId() },
      /^60\.5Version.*; not comparable with another vignette of this name$/u,
    ],
  ])('scores %s', async (_name, { id, name }, text) => {
    const explanation = explanationOf();
    const [newest, oldest] = explanation.history as [HistoryEntry, HistoryEntry];
    const other = { vignetteId: id ?? oldest.vignetteId, vignetteName: name ?? oldest.vignetteName };
    const history = [
      { ...newest, score: 60.5, changes: [] },
      { ...oldest, ...other },
    ];
    await open({ explanation: { ...explanation, history } });
    const entry = (await card('Score history')).getByRole('link', { name: 'Version 2' }).closest('li');
    expect(entry?.textContent).toMatch(text);
  });

  test('asks before factors that are being set are lost to another version of the score', async () => {
    const { openPage } = prepare();
    const { user, router, connected } = openPage();
    await scored();
    await connected();
    await user.click(await screen.findByRole('button', { name: /If Business Impact were None: / }));
    await screen.findByRole('dialog', { name: 'Set factors' });
    void router.navigate({ to: '.', search: { version: 1 } } as never);
    const question = within(await screen.findByRole('alertdialog', { name: 'Leave without saving?' }));
    await user.click(question.getByRole('button', { name: 'Keep editing' }));
    expect(screen.getByRole('dialog', { name: 'Set factors' })).toBeDefined();
    expect(router.state.location.search).toEqual({});
  });

  test('restores factors that were being set when the session ended', async () => {
    const { user, connected } = prepare().openPage();
    await scored();
    await connected();
    await user.click(await screen.findByRole('button', { name: /If Business Impact were None: / }));
    const reason = { name: /^Reason for Business Impact/u };
    await user.click(await screen.findByRole('textbox', reason));
    await user.paste('A test system.');
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
    const form = within(await screen.findByRole('dialog', { name: 'Set factors' }));
    form.getByText('Your unsaved changes were restored.');
    expect(form.getByRole<HTMLTextAreaElement>('textbox', reason).value).toBe('A test system.');
    await user.click(form.getByRole('button', { name: 'Discard changes' }));
    await waitFor(() => expect(screen.queryByRole('dialog', { name: 'Set factors' })).toBeNull());
  });

  test('says that a version does not exist', async () => {
    const { router } = await open();
    await scored();
    await router.navigate({ to: '.', search: { version: 7 } } as never);
    expect(await screen.findByText(/^There is no version 7 of this score/u)).toBeDefined();
  });

  test('shows the reason when the explanation cannot be loaded, and Retry loads it', async () => {
    const { there } = prepare();
    server.use(answer(cwss.explanation, () => refusal('internal')));
    const { user } = renderPart(<CwssSection detail={there.detail} />);
    await screen.findByText('Failed to load the CWSS score.');
    server.use(
      answer(cwss.explanation, () => explanationOf()),
      answer(vignettes.list, () => ({ items: [], total: 0, page: 1, pageSize: 100, nextCursor: null })),
    );
    await user.click(
      await within(await screen.findByRole('region', { name: 'CWSS' })).findByRole('button', {
        name: 'Retry',
      }),
    );
    await scored();
    expect(await screen.findByText('No vignettes available.')).toBeDefined();
  });

  test('a viewer reads everything and changes nothing', async () => {
    server.use(answer(accounts.me, () => ({ user: userOf({ role: 'viewer' }) })));
    const stale = [{ code: 'cvss' as const, reason: 'The CVSS vector changed.' }];
    await open({ explanation: explanationOf({ stale: true, staleReasons: stale }) });
    await scored();
    for (const name of ['Set factors', 'Recalculate', 'Set Business Impact'])
      expect((await screen.findByRole('button', { name })).getAttribute('aria-disabled')).toBe('true');
  });
});

describe('a stale CWSS score', () => {
  const staleReasons = [
    { code: 'cvss' as const, reason: 'The CVSS vector changed.' },
    { code: 'vignette' as const, reason: 'The vignette has a newer version.' },
  ];

  test('appears without a reload with its reasons when another user changes something', async () => {
    const { replies, openPage } = prepare();
    const { connected } = openPage();
    await scored();
    await connected();
    expect(screen.queryByText('This score is stale.')).toBeNull();
    replies.explanation = { ...replies.explanation, stale: true, staleReasons };
    api.publish({ type: 'vulnerability.changed', count: 1, action: 'updated', by: 'Ben Pier' });
    await screen.findByText('This score is stale.');
    for (const { reason } of staleReasons) screen.getByText(reason);
  });

  test('is calculated again with the same vignette', async () => {
    const explanation = explanationOf({ stale: true, staleReasons });
    const { there, replies, openPage } = prepare({ explanation });
    const { user } = openPage();
    const bodies: unknown[] = [];
    server.use(
      answer(cwss.calculate, async ({ request }) => {
        bodies.push(await request.json());
        replies.explanation = { ...explanation, stale: false, staleReasons: [] };
        return { vulnerability: vulnerabilityOf(), cwssScore: 66.6, message: 'Calculated.' };
      }),
    );
    await user.click(await screen.findByRole('button', { name: 'Recalculate' }));
    await screen.findByText('Calculation applied');
    screen.getByText(/is 66\.6 of 100\.$/u);
    expect(bodies).toEqual([{ id: there.detail._id, vignetteId: explanation.vignetteId }]);
    await waitFor(() => expect(screen.queryByText('This score is stale.')).toBeNull());
  });

  test.each([
    ['Recalculation started', () => HttpResponse.json({ jobId: 'j', message: 'm' }, { status: 202 })],
    ['Calculation failed', () => refusal('conflict', 'The vignette was deleted.')],
  ])('%s is said in a toast', async (title, reply) => {
    const { user } = prepare({ explanation: explanationOf({ stale: true, staleReasons }) }).openPage();
    server.use(answer(cwss.calculate, reply));
    await user.click(await screen.findByRole('button', { name: 'Recalculate' }));
    expect(await screen.findByText(title)).toBeDefined();
  });

  test('needs another vignette when its own was deleted', async () => {
    const deleted = [{ code: 'vignette-deleted' as const, reason: 'The vignette was deleted.' }];
    await open({ explanation: explanationOf({ stale: true, staleReasons: deleted }) });
    await screen.findByText('Calculate it again with another vignette.');
    expect(screen.queryByRole('button', { name: 'Recalculate' })).toBeNull();
  });
});
