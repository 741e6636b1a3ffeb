import { cwss, vignettes, type CwssExplanation, type CwssOverride } from '@riskboard/contract';
import { scoreCwss } from '@riskboard/domain';
import { screen, waitFor, within } from '@testing-library/react';
import { beforeEach, describe, expect, test } from 'vitest';
import { explanationOf } from '../../../../testing/cwss.ts';
import { fakeApi } from '../../../../testing/fake-api.ts';
import { answerVulnerability } from '../../../../testing/record-api.ts';
import { vulnerabilityDetailOf } from '../../../../testing/records.ts';
import { renderPart } from '../../../../testing/render-app.tsx';
import { answer, refusal, server, useServer } from '../../../../testing/server.ts';
import { Toaster } from '../../../../ui/feedback/toaster.tsx';
import { CwssSection } from './cwss-section.tsx';
import { choicesOf } from './factor-text.ts';

useServer();
beforeEach(() => void fakeApi());

const byBen: CwssOverride = {
  value: 'B',
  weight: 0.3,
  reason: 'A firewall blocks it.',
  by: 'Ben Pier',
  at: '2026-11-20T10:00:00.000Z',
};
const withBen = () =>
  explanationOf(
    { overrides: { EC: byBen } },
    { overrides: { EC: { code: 'B', weight: 3000, reason: byBen.reason } } },
  );

/** Ben has set a quantified factor. */
const withMeasured = () =>
  explanationOf(
    { overrides: { P: { ...byBen, value: 'Q', weight: 0.75, reason: 'Measured.' } } },
    { overrides: { P: { code: 'Q', weight: 7500, reason: 'Measured.' } } },
  );

/** Opens the page of a scored vulnerability; saved factors are recorded. */
async function open(explanation: CwssExplanation = explanationOf()) {
  const replies = { explanation };
  const saved: unknown[] = [];
  const detail = vulnerabilityDetailOf({ cwssScore: explanation.score });
  answerVulnerability({ detail });
  server.use(
    answer(cwss.explanation, () => replies.explanation),
    answer(cwss.setFactors, async ({ request }) => {
      saved.push(await request.json());
      return replies.explanation;
    }),
    answer(vignettes.list, () => ({ items: [], total: 0, page: 1, pageSize: 100, nextCursor: null })),
  );
  const part = renderPart(
    <>
      <CwssSection detail={detail} />
      <Toaster />
    </>,
  );
  const button = await screen.findByRole('button', { name: 'Set factors' });
  /** Another user's change, as the live connection announces it. */
  async function changeBy(change: CwssExplanation): Promise<void> {
    replies.explanation = change;
    await part.queryClient.invalidateQueries({ queryKey: ['vulnerabilities'] });
  }
  return { replies, saved, button, changeBy, ...part };
}

const editor = async () => within(await screen.findByRole('dialog', { name: 'Set factors' }));
const live = () => screen.getByRole('status', { name: 'Score with the changes' }).textContent;

describe('the editor of CWSS factors', () => {
  test('opens with the value that “What would change it most” names, its score and the focus in the reason', async () => {
    const { user, saved, replies } = await open();
    const { explanation } = replies;
    await user.click(
      await screen.findByRole('button', { name: /If External Control Effectiveness were Complete: / }),
    );
    const form = await editor();
    expect(
      (await form.findByRole('combobox', { name: 'External Control Effectiveness' })).textContent,
    ).toContain('Complete');
    const choices = { ...choicesOf(explanation.factors), EC: { code: 'C', weight: 1000 } };
    const { score } = scoreCwss(choices);
    expect(live()).toBe(`${score.toFixed(1)}/100, −${(explanation.score - score).toFixed(1)} with 1 change`);
    const reason = form.getByRole('textbox', { name: /^Reason for External Control Effectiveness/u });
    await waitFor(() => expect(document.activeElement).toBe(reason));
    await user.paste('Behind the gateway.');
    await user.click(form.getByRole('button', { name: 'Save' }));
    await waitFor(() => expect(screen.queryByRole('dialog', { name: 'Set factors' })).toBeNull());
    expect(saved).toEqual([{ EC: { value: 'C', reason: 'Behind the gateway.' } }]);
  });

  test('requires a reason for each changed factor', async () => {
    const { user, saved } = await open();
    await user.click(await screen.findByRole('button', { name: 'Set Deployment Scope' }));
    const form = await editor();
    await user.click(await form.findByRole('combobox', { name: 'Deployment Scope' }));
    await user.click(await screen.findByRole('option', { name: 'Rare (0.5)' }));
    await user.click(form.getByRole('button', { name: 'Save' }));
    await form.findByText('Enter a reason.');
    const reason = form.getByRole('textbox', { name: /^Reason for Deployment Scope/u });
    expect(document.activeElement).toBe(reason);
    expect(saved).toEqual([]);
  });

  test('saves a quantified factor with its weight', async () => {
    const { user, saved } = await open();
    await user.click(await screen.findByRole('button', { name: 'Set Prevalence' }));
    const form = await editor();
    await user.click(await form.findByRole('combobox', { name: 'Prevalence' }));
    await user.click(await screen.findByRole('option', { name: 'Quantified' }));
    const weight = form.getByRole('textbox', { name: 'Weight of Prevalence' });
    await user.clear(weight);
    await user.type(weight, '0.35{Enter}');
    await user.click(form.getByRole('textbox', { name: /^Reason for Prevalence/u }));
    await user.paste('Measured.');
    await user.click(form.getByRole('button', { name: 'Save' }));
    await waitFor(() => expect(saved).toEqual([{ P: { value: 'Q', weight: 0.35, reason: 'Measured.' } }]));
  });

  test.each(['1.5', 'much', ''])(
    'keeps the weight %j marked, and saves nothing until it is a weight',
    async (text) => {
      const { user, saved, button } = await open(withMeasured());
      await user.click(button);
      const form = await editor();
      const weight = await form.findByRole('textbox', { name: 'Weight of Prevalence' });
      await user.clear(weight);
      if (text !== '') await user.type(weight, text);
      await user.click(form.getByRole('button', { name: 'Save' }));
      form.getByText('0 to 1, at most four decimals');
      expect(document.activeElement).toBe(weight);
      expect(saved).toEqual([]);
      await user.click(form.getByRole('button', { name: 'Cancel' }));
      await user.click(await screen.findByRole('button', { name: 'Keep editing' }));
      await user.click((await editor()).getByRole('button', { name: /^Undo change/u }));
      expect(form.getByRole('textbox', { name: 'Weight of Prevalence' })).toHaveProperty('value', '0.75');
      expect(form.queryByText('0 to 1, at most four decimals')).toBeNull();
      expect(live()).toMatch(/no changes$/u);
    },
  );

  test('reads a weight with a decimal comma, and the focus stays in the field on Enter', async () => {
    const { user, saved, button } = await open(withMeasured());
    await user.click(button);
    const form = await editor();
    const weight = await form.findByRole('textbox', { name: 'Weight of Prevalence' });
    await user.clear(weight);
    await user.type(weight, '0,5{Enter}');
    expect(document.activeElement).toBe(weight);
    expect(weight).toHaveProperty('value', '0.5');
    // The reason of the former weight does not explain this one.
    const reason = form.getByRole('textbox', { name: /^Reason for Prevalence/u });
    expect(reason).toHaveProperty('value', '');
    await user.click(reason);
    await user.paste('Measured again.');
    await user.click(form.getByRole('button', { name: 'Save' }));
    await waitFor(() =>
      expect(saved).toEqual([{ P: { value: 'Q', weight: 0.5, reason: 'Measured again.' } }]),
    );
  });

  test('a weight that is left unchanged, or changed back, keeps its reason and is no change', async () => {
    const { user, button } = await open(withMeasured());
    await user.click(button);
    const form = await editor();
    const weight = await form.findByRole('textbox', { name: 'Weight of Prevalence' });
    await user.click(weight);
    await user.tab();
    expect(live()).toMatch(/no changes$/u);
    await user.clear(weight);
    await user.type(weight, '0.5{Enter}');
    expect(live()).toMatch(/with 1 change$/u);
    await user.clear(weight);
    await user.type(weight, '0.75{Enter}');
    expect(live()).toMatch(/no changes$/u);
    form.getByText('Quantified (0.75): Measured.');
  });

  test('removes an analyst’s value and shows the suggestion beside it', async () => {
    const { user, saved, button } = await open(withBen());
    await user.click(button);
    const form = await editor();
    form.getByText('Best-Available (0.3): A firewall blocks it.');
    form.getByText(/^Suggested: None \(1\.0\)\. No control outside/u);
    await user.click(form.getByRole('button', { name: /^Use suggestion/u }));
    form.getByText(/^The suggestion will be used again: None \(1\.0\)/u);
    await user.click(form.getByRole('button', { name: 'Save' }));
    await waitFor(() => expect(saved).toEqual([{ EC: null }]));
  });

  test('shows the server’s refusal at the factor', async () => {
    const { user } = await open();
    server.use(
      answer(cwss.setFactors, () =>
        refusal('invalid', 'Not valid.', [{ path: 'EC.value', message: 'EC has no value "C".' }]),
      ),
    );
    await user.click(
      await screen.findByRole('button', { name: /If External Control Effectiveness were Complete: / }),
    );
    const form = await editor();
    await user.click(form.getByRole('textbox', { name: /^Reason for/u }));
    await user.paste('Because.');
    await user.click(form.getByRole('button', { name: 'Save' }));
    expect(await form.findByText('EC has no value "C".')).toBeDefined();
  });

  test('is right about a save that the live connection shows before the reply', async () => {
    const { user, replies, changeBy } = await open();
    const { score } = replies.explanation;
    const changed = { ...withBen(), score: score - 10 };
    const held = Promise.withResolvers<void>();
    server.use(
      answer(cwss.setFactors, async () => {
        await changeBy(changed);
        await held.promise;
        return changed;
      }),
    );
    await user.click(await screen.findByRole('button', { name: 'Set External Control Effectiveness' }));
    const form = await editor();
    await user.click(await form.findByRole('combobox', { name: 'External Control Effectiveness' }));
    await user.click(await screen.findByRole('option', { name: 'Best-Available (0.3)' }));
    await user.click(form.getByRole('textbox', { name: /^Reason for/u }));
    await user.paste(byBen.reason);
    await user.click(form.getByRole('button', { name: 'Save' }));
    await form.findByText('Best-Available (0.3): A firewall blocks it.');
    expect(form.queryByText(/meanwhile/u)).toBeNull();
    // Nothing can be entered that the reply would discard.
    expect(form.getByRole('textbox', { name: /^Reason for/u }).closest('[inert]')).not.toBeNull();
    held.resolve();
    await screen.findByText(`CWSS ${score.toFixed(1)} → ${changed.score.toFixed(1)}`);
  });

  test('asks before unsaved changes are lost', async () => {
    const { user } = await open();
    await user.click(
      await screen.findByRole('button', { name: /If External Control Effectiveness were Complete: / }),
    );
    await user.click((await editor()).getByRole('button', { name: 'Cancel' }));
    const question = within(await screen.findByRole('alertdialog', { name: 'Close without saving?' }));
    question.getByText('External Control Effectiveness');
    await user.click(question.getByRole('button', { name: 'Keep editing' }));
    await user.click((await editor()).getByRole('button', { name: 'Cancel' }));
    await user.click(await screen.findByRole('button', { name: 'Discard' }));
    await waitFor(() => expect(screen.queryByRole('dialog', { name: 'Set factors' })).toBeNull());
  });
});

describe('two analysts who edit factors', () => {
  /** A change by Ben while the editor has a change of External Control Effectiveness. */
  async function openWithConflict({ live: isLive }: { live: boolean }) {
    const opened = await open();
    const { user, replies, changeBy } = opened;
    await user.click(
      await screen.findByRole('button', { name: /If External Control Effectiveness were Complete: / }),
    );
    const form = await editor();
    await user.click(form.getByRole('textbox', { name: /^Reason for/u }));
    await user.paste('Mine.');
    replies.explanation = withBen();
    if (isLive) await changeBy(withBen());
    else await user.click(form.getByRole('button', { name: 'Save' }));
    await form.findByText('Ben Pier set Best-Available (0.3) meanwhile: “A firewall blocks it.”');
    return { ...opened, form };
  }

  test('a factor that both changed shows the other’s value and reason, and keeps one’s own on request', async () => {
    const { user, form, saved } = await openWithConflict({ live: true });
    expect(form.getByRole('textbox', { name: /^Reason for/u })).toHaveProperty('value', 'Mine.');
    await user.click(form.getByRole('button', { name: 'Save' }));
    expect(saved).toEqual([]);
    await user.click(form.getByRole('button', { name: 'Keep my change' }));
    await user.click(form.getByRole('button', { name: 'Save' }));
    await waitFor(() => expect(saved).toEqual([{ EC: { value: 'C', reason: 'Mine.' } }]));
  });

  test('a change that no event has announced is noticed before saving', async () => {
    const { user, form, saved } = await openWithConflict({ live: false });
    expect(saved).toEqual([]);
    await user.click(form.getByRole('button', { name: 'Discard my change' }));
    form.getByText('Best-Available (0.3): A firewall blocks it.');
    expect(
      (await form.findByRole('combobox', { name: 'External Control Effectiveness' })).textContent,
    ).toContain('Best-Available');
  });

  test('a change that a conflict kept from being saved is guarded when the page is left', async () => {
    const { form, router } = await openWithConflict({ live: false });
    form.getByRole('button', { name: 'Keep my change' });
    void router.navigate({ to: '/dashboard' });
    expect(await screen.findByRole('alertdialog', { name: 'Leave without saving?' })).toBeDefined();
  });

  test('changes of other factors arrive in the open editor and are not sent', async () => {
    const { user, changeBy, saved } = await open();
    await user.click(await screen.findByRole('button', { name: /If Business Impact were None: / }));
    const form = await editor();
    await user.click(form.getByRole('textbox', { name: /^Reason for/u }));
    await user.paste('A test system.');
    await changeBy(withBen());
    await form.findByText('Best-Available (0.3): A firewall blocks it.');
    await user.click(form.getByRole('button', { name: 'Save' }));
    await waitFor(() => expect(saved).toEqual([{ BI: { value: 'N', reason: 'A test system.' } }]));
  });
});
