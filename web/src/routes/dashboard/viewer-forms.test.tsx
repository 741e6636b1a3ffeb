import { accounts } from '@riskboard/contract';
import { screen, waitFor, within } from '@testing-library/react';
import { expect, it, vi } from 'vitest';
import { fakeApi } from '../../testing/fake-api.ts';
import { answerThreat, answerVulnerability } from '../../testing/record-api.ts';
import { threatDetailOf, vulnerabilityDetailOf } from '../../testing/records.ts';
import { visit } from '../../testing/render-app.tsx';
import { newId, userOf } from '../../testing/rows.ts';
import { answer, server, useServer } from '../../testing/server.ts';

useServer();
vi.setConfig({ testTimeout: 20_000 });

const why = 'Requires the analyst role. You are a viewer.';
const id = newId();
const relatedAssets = [{ _id: newId(), name: 'Mail gateway', description: '' }];

const answers = {
  vulnerabilities: () =>
    answerVulnerability({
      detail: vulnerabilityDetailOf({
        _id: id,
        cwe: ['CWE-79'],
        cvssVector: 'CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:H/I:H/A:H',
        relatedAssets,
      }),
    }),
  threats: () => answerThreat({ detail: threatDetailOf({ _id: id, relatedAssets }) }),
} as const;

function visitAsViewer(noun: keyof typeof answers, page: string) {
  fakeApi();
  answers[noun]();
  server.use(answer(accounts.me, () => ({ user: userOf({ role: 'viewer' }) })));
  return visit(`/dashboard/${noun}/${page}`);
}

const isOff = (control: HTMLElement): boolean =>
  control.matches('[readonly], :disabled, [aria-readonly="true"], [aria-disabled="true"]') ||
  control.closest('[role="radiogroup"][aria-readonly="true"]') !== null;

it.each([
  ['vulnerabilities', 'new'],
  ['vulnerabilities', `${id}/edit`],
  ['threats', 'new'],
  ['threats', `${id}/edit`],
] as const)(
  'no control of /dashboard/%s/%s can be used by a viewer, and the reason is shown',
  async (noun, page) => {
    const { user } = visitAsViewer(noun, page);
    const form = await screen.findByRole('form');
    await waitFor(() => expect(screen.getAllByText(why).length).toBeGreaterThan(0));
    await within(form).findByRole('combobox', { name: 'Related assets' });
    const controls = ['textbox', 'spinbutton', 'combobox', 'radio', 'checkbox', 'button'].flatMap((role) =>
      within(form).queryAllByRole(role),
    );
    const usable = controls.filter((control) => !isOff(control)).map((control) => control.textContent);
    expect(controls.length).toBeGreaterThan(10);
    expect(usable).toEqual(['Cancel']);
    const fields = within(form).getAllByRole('group')[0];
    expect(fields?.getAttribute('aria-disabled')).toBe('true');
    const reason = fields?.getAttribute('aria-describedby') ?? '';
    expect(document.querySelector(`[id="${reason}"]`)?.textContent).toBe(why);
    await user.click(within(form).getByRole('combobox', { name: 'Related assets' }));
    expect(screen.queryByRole('listbox')).toBeNull();
  },
);

it.each(['vulnerabilities', 'threats'] as const)(
  'every way from the page of a record of %s to its form is disabled for a viewer, with the reason',
  async (noun) => {
    const { user } = visitAsViewer(noun, id);
    for (const name of ['Edit', 'Relate assets']) {
      const control = await screen.findByRole('button', { name });
      expect(control.getAttribute('aria-disabled')).toBe('true');
      await user.hover(control);
      expect(await screen.findByText(why)).toBeDefined();
      await user.unhover(control);
      expect(screen.queryByRole('link', { name })).toBeNull();
    }
  },
);
