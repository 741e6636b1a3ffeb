import { projects, type Project } from '@riskboard/contract';
import { act, fireEvent, screen, waitFor, within } from '@testing-library/react';
import { HttpResponse } from 'msw';
import { describe, expect, it, vi } from 'vitest';
import { unreachableText } from '../../../lib/api/errors.ts';
import { liveState } from '../../../lib/live/live-state.ts';
import { answerDashboard } from '../../../testing/dashboard.ts';
import { fakeApi } from '../../../testing/fake-api.ts';
import { fill, visit } from '../../../testing/render-app.tsx';
import { projectOf } from '../../../testing/rows.ts';
import { answer, refusal, server, useServer } from '../../../testing/server.ts';

useServer();
// Each step searches the whole page by role, which is slow on a busy machine.
vi.setConfig({ testTimeout: 20_000 });

const tooEarly = 'The planned end date must be at least the day after the start date.';
const button = (name: string) => screen.getByRole('button', { name });
const isOff = (element: HTMLElement) => element.getAttribute('aria-disabled') === 'true';
const field = (name: string) => screen.getByRole<HTMLInputElement>('textbox', { name });
const day = (name: string) => screen.getByLabelText<HTMLInputElement>(new RegExp(`^${name}`, 'u'));
const setDay = (name: string, value: string) => fireEvent.change(day(name), { target: { value } });

describe('form for a new project', () => {
  function open() {
    fakeApi();
    answerDashboard();
    const sent: Record<string, unknown>[] = [];
    server.use(
      answer(projects.create, async ({ request }) => {
        sent.push((await request.json()) as Record<string, unknown>);
        return projectOf();
      }),
    );
    return { sent, ...visit('/dashboard/projects/new') };
  }

  it('has the four sections of the spec, Back to Projects and Cancel', async () => {
    const { user, router } = open();
    await screen.findByRole('heading', { level: 1, name: 'Create New Project' });
    const form = within(screen.getByRole('form', { name: 'Create New Project' }));
    expect(form.getAllByRole('heading', { level: 2 }).map(({ textContent }) => textContent)).toEqual([
      'Core Details',
      'Timeline and Status',
      'Organizational Context',
      'Rankings and References',
    ]);
    expect(button('Cancel')).toBeDefined();
    await user.click(button('Back to Projects'));
    await waitFor(() => expect(router.state.location.pathname).toBe('/dashboard'));
  });

  it('is disabled until name, description and start are entered and the planned end is after the start', async () => {
    const { user, sent } = open();
    await screen.findByText('Required: Name, Description, and Start date.');
    expect(isOff(day('Planned end date'))).toBe(true);
    expect(day('Planned end date').readOnly).toBe(true);
    await fill(user, field('Name'), 'Harbour');
    await fill(user, field('Description'), 'Cranes.');
    expect(isOff(button('Create'))).toBe(true);
    setDay('Start date', '2026-02-28');
    expect(isOff(button('Create'))).toBe(false);
    expect(isOff(day('Planned end date'))).toBe(false);
    expect(day('Planned end date').min).toBe('2026-03-01');
    setDay('Planned end date', '2026-02-28');
    expect(await screen.findByText('Correct the marked fields first.')).toBeDefined();
    expect(day('Planned end date').getAttribute('aria-invalid')).toBe('true');
    expect(screen.getByText(tooEarly)).toBeDefined();
    setDay('Planned end date', '2026-03-01');
    expect(isOff(button('Create'))).toBe(false);
    // The start moves later: the end becomes too early without being visited.
    setDay('Start date', '2026-03-01');
    expect(await screen.findByText(tooEarly)).toBeDefined();
    expect(isOff(button('Create'))).toBe(true);
    setDay('Planned end date', '2026-03-02');
    expect(screen.queryByText(tooEarly)).toBeNull();
    await user.click(button('Create'));
    expect(await screen.findByText('Project created')).toBeDefined();
    expect(sent).toEqual([
      expect.objectContaining({
        name: 'Harbour',
        description: 'Cranes.',
        startDate: '2026-03-01',
        plannedEndDate: '2026-03-02',
        status: 'active',
        objective: '',
      }),
    ]);
  });

  it('shows the new project on the dashboard at once, and drops it when the server refuses', async () => {
    const { user, router } = open();
    const held = Promise.withResolvers<void>();
    server.use(
      answer(projects.create, async () => {
        await held.promise;
        return refusal('internal');
      }),
    );
    await fill(user, await screen.findByRole('textbox', { name: 'Name' }), 'Harbour');
    await fill(user, field('Description'), 'Cranes.');
    setDay('Start date', '2026-02-28');
    await user.click(button('Create'));
    const card = await screen.findByRole('article', { name: 'Harbour' });
    expect(within(card).getByText('Creating…')).toBeDefined();
    expect(within(card).queryByRole('link')).toBeNull();
    held.resolve();
    expect(await screen.findByText('Error: Failed to create project. Please try again.')).toBeDefined();
    await waitFor(() => expect(router.state.location.pathname).toBe('/dashboard/projects/new'));
    expect(field('Name').value).toBe('Harbour');
  });
});

describe('form for an existing project', () => {
  function open(change: Partial<Project> = {}) {
    fakeApi();
    const sent: Record<string, unknown>[] = [];
    const replies = { detail: projectOf({ plannedEndDate: '2026-06-01', ...change }) };
    server.use(
      answer(projects.get, () => replies.detail),
      answer(projects.update, async ({ request }) => {
        sent.push((await request.json()) as Record<string, unknown>);
        return replies.detail;
      }),
    );
    return { sent, replies, ...visit(`/dashboard/projects/${replies.detail._id}/edit`) };
  }

  it('is disabled until something changed and all is valid, and sends only what changed', async () => {
    const { user, sent } = open();
    await screen.findByRole('heading', { level: 1, name: 'Edit Project' });
    expect(button('Back to Project Details')).toBeDefined();
    expect(isOff(button('Update'))).toBe(true);
    setDay('Start date', '2026-06-01');
    expect(await screen.findByText(tooEarly)).toBeDefined();
    expect(isOff(button('Update'))).toBe(true);
    setDay('Start date', '2026-05-31');
    await user.click(button('Update'));
    expect(await screen.findByText('Project updated')).toBeDefined();
    expect(sent).toEqual([{ startDate: '2026-05-31' }]);
  });

  it('is named in the window title', async () => {
    open({ name: 'Harbour' });
    await waitFor(() => expect(document.title).toBe('Edit Harbour · Riskboard'));
  });

  it('says that Riskboard cannot be reached until the connection is back', async () => {
    const { user } = open();
    await fill(user, await screen.findByRole('textbox', { name: 'Name' }), 'Mine');
    server.use(answer(projects.update, () => HttpResponse.error()));
    act(() => liveState.set('offline'));
    await user.click(button('Update'));
    await within(await screen.findByRole('region', { name: 'There is a problem' })).findByText(
      unreachableText,
    );
    act(() => liveState.set('live'));
    expect(screen.queryByRole('region', { name: 'There is a problem' })).toBeNull();
    expect(field('Name').value).toBe('Mine');
  });

  it('can be left while it is being saved, and the answer does not lead back', async () => {
    const { user, router, replies } = open();
    const held = Promise.withResolvers<void>();
    server.use(
      answer(projects.update, async () => {
        await held.promise;
        return replies.detail;
      }),
    );
    await fill(user, await screen.findByRole('textbox', { name: 'Name' }), 'Mine');
    await user.click(button('Update'));
    await user.click(button('Cancel'));
    await user.click(await screen.findByRole('button', { name: 'Discard' }));
    await act(() => router.navigate({ to: '/dashboard/projects/new' }));
    held.resolve();
    expect(await screen.findByText('Project updated')).toBeDefined();
    expect(router.state.location.pathname).toBe('/dashboard/projects/new');
  });

  it('asks when another user saved a newer version', async () => {
    const { user, replies } = open();
    await fill(user, await screen.findByRole('textbox', { name: 'Name' }), 'Mine');
    replies.detail = { ...replies.detail, name: 'Theirs', version: 2, updatedBy: 'Ben Pier' };
    server.use(answer(projects.update, () => refusal('stale_version')));
    await user.click(button('Update'));
    const dialog = await screen.findByRole('dialog', { name: 'Changed by Ben Pier' });
    expect(within(dialog).getByRole('row', { name: /Name.*Mine.*Theirs/u })).toBeDefined();
  });
});
