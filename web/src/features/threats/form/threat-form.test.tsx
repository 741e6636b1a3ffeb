import { threats, type ThreatDetail } from '@riskboard/contract';
import { act, screen, waitFor, within } from '@testing-library/react';
import { describe, expect, it, vi } from 'vitest';
import { fakeApi } from '../../../testing/fake-api.ts';
import { threatDetailOf } from '../../../testing/records.ts';
import { fill, visit } from '../../../testing/render-app.tsx';
import { answer, refusal, server, useServer } from '../../../testing/server.ts';

useServer();
// Each step searches the whole page by role, which is slow on a busy machine.
vi.setConfig({ testTimeout: 20_000 });

const button = (name: string) => screen.getByRole('button', { name });
const isOff = (element: HTMLElement) => element.getAttribute('aria-disabled') === 'true';
const field = (name: string) => screen.getByRole<HTMLInputElement>('textbox', { name });
const number = (name: string) => screen.getByRole<HTMLInputElement>('spinbutton', { name });

type Visitor = ReturnType<typeof visit>['user'];

async function choose(user: Visitor, name: string, option: string) {
  await user.click(await screen.findByRole('combobox', { name }));
  await user.click(await screen.findByRole('option', { name: option }));
}

describe('form for a new threat', () => {
  function open() {
    fakeApi();
    const sent: Record<string, unknown>[] = [];
    server.use(
      answer(threats.create, async ({ request }) => {
        sent.push((await request.json()) as Record<string, unknown>);
        return threatDetailOf();
      }),
    );
    return { sent, ...visit('/dashboard/threats/new') };
  }

  it('shows the risk level derived from likelihood and impact and sends a blank one', async () => {
    const { user, sent } = open();
    await screen.findByRole('heading', { name: 'Create New Threat', level: 1 });
    expect(screen.getByText('Required: Name and Description.')).toBeDefined();
    await fill(user, field('Name'), 'Emotet');
    await fill(user, field('Description'), 'A loader.');
    expect(screen.getByText(/derived once likelihood and impact are set/u)).toBeDefined();
    await choose(user, 'Likelihood', 'High');
    await choose(user, 'Impact', 'Very High');
    expect(number('Risk level').placeholder).toBe('80 (derived)');
    expect(screen.getByText('0 to 100. Blank: 80, derived from likelihood and impact.')).toBeDefined();
    const capability = screen.getByRole('radiogroup', { name: 'Capability' });
    await user.click(within(capability).getByRole('radio', { name: 'High' }));
    await fill(user, field('Compensating Controls'), 'Block macros.');
    await user.click(button('Create'));
    expect(await screen.findByText('Threat created')).toBeDefined();
    expect(sent).toEqual([
      expect.objectContaining({
        name: 'Emotet',
        likelihood: 4,
        impact: 5,
        capability: 3,
        motivation: '',
        riskLevel: '',
        mitigationStrategy: 'Block macros.',
        isActive: true,
      }),
    ]);
  });

  it('shows the message of spec 8 when creation fails and keeps the entered values', async () => {
    const { user } = open();
    server.use(answer(threats.create, () => refusal('internal')));
    await fill(user, await screen.findByRole('textbox', { name: 'Name' }), 'Emotet');
    await fill(user, field('Description'), 'A loader.');
    await user.click(button('Create'));
    expect(await screen.findByText('Error: Failed to create threat. Please try again.')).toBeDefined();
    expect(field('Name').value).toBe('Emotet');
  });
});

describe('form for an existing threat', () => {
  function open(change: Partial<ThreatDetail>) {
    fakeApi();
    const record = threatDetailOf(change);
    const sent: Record<string, unknown>[] = [];
    server.use(
      answer(threats.get, () => record),
      answer(threats.update, async ({ request }) => {
        const body = (await request.json()) as Record<string, unknown>;
        sent.push(body);
        return threatDetailOf({ ...record, version: 2 });
      }),
    );
    return { sent, record, ...visit(`/dashboard/threats/${record._id}/edit`) };
  }

  it('is left behind when it is saved: Back leads to the page before', async () => {
    const { user, router, record } = open({});
    await act(() => router.navigate({ to: '/dashboard/jobs' }));
    await act(() => router.navigate({ to: '/dashboard/threats/$id/edit', params: { id: record._id } }));
    await fill(user, await screen.findByRole('textbox', { name: 'Name' }), 'Renamed');
    await user.click(button('Update'));
    await screen.findByText('Threat updated');
    act(() => router.history.back());
    await waitFor(() => expect(router.state.location.pathname).toBe('/dashboard/jobs'));
  });

  it('leaves a derived risk level blank, so that it stays derived', async () => {
    const { user, sent } = open({ likelihood: 2, impact: 3, riskLevel: 24, riskLevelSource: 'derived' });
    expect((await screen.findByRole<HTMLInputElement>('spinbutton', { name: 'Risk level' })).value).toBe('');
    expect(number('Risk level').placeholder).toBe('24 (derived)');
    await choose(user, 'Likelihood', 'Very High');
    expect(number('Risk level').placeholder).toBe('60 (derived)');
    await user.click(button('Update'));
    expect(await screen.findByText('Threat updated')).toBeDefined();
    expect(sent).toEqual([{ likelihood: 5 }]);
  });

  it('accepts a risk level from 0 to 100 (spec 5) by arrow keys and by typing', async () => {
    const { user } = open({ riskLevel: 99, riskLevelSource: '' });
    const level = await screen.findByRole<HTMLInputElement>('spinbutton', { name: 'Risk level' });
    await user.click(level);
    await user.keyboard('{ArrowUp}{ArrowUp}{ArrowUp}');
    expect(level.value).toBe('100');
    expect(level.getAttribute('aria-valuenow')).toBe('100');
    await user.type(level, '1');
    await user.tab();
    expect(screen.getByText('Must be 100 or less.')).toBeDefined();
    expect(isOff(button('Update'))).toBe(true);
    expect(screen.getByText('Correct the marked fields first.')).toBeDefined();
  });

  it('says that the record was deleted meanwhile, keeps the text, and asks for no retry', async () => {
    const { user } = open({ name: 'Emotet' });
    await fill(user, await screen.findByRole('textbox', { name: 'Name' }), 'Emotet, again');
    server.use(
      answer(threats.get, () => refusal('not_found')),
      answer(threats.update, () => refusal('not_found')),
    );
    await user.click(button('Update'));
    const problems = within(await screen.findByRole('region', { name: 'There is a problem' }));
    problems.getByText('This threat was deleted. What you entered is still in the form.');
    await screen.findByText('The change was not saved.');
    expect(screen.queryByText(/try again/u)).toBeNull();
    expect(field('Name').value).toBe('Emotet, again');
  });

  it('shows what another user saves while nothing has been entered', async () => {
    const { router } = open({ name: 'Emotet' });
    await screen.findByRole('textbox', { name: 'Name' });
    const id = router.state.location.pathname.split('/').at(-2) ?? '';
    server.use(answer(threats.get, () => threatDetailOf({ _id: id, name: 'Emotet, again', version: 2 })));
    await router.options.context.queryClient.invalidateQueries({ queryKey: ['threats'] });
    await waitFor(() => expect(field('Name').value).toBe('Emotet, again'));
  });
});
