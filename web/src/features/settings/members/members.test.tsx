import { invitations, members, organizations } from '@riskboard/contract';
import { screen, waitFor, within } from '@testing-library/react';
import { describe, expect, it, test, vi } from 'vitest';
import { answer, counted, refusal, server, useServer } from '../../../testing/server.ts';
import { invitationOf, memberOf, settingsApi } from '../../../testing/settings.ts';
import { stubSockets } from '../../../testing/fake-socket.ts';
import { visit } from '../../../testing/render-app.tsx';

useServer();

const rowOf = async (name: RegExp) => {
  const header = await screen.findByRole('rowheader', { name });
  return within(header.closest('tr') as HTMLElement);
};

async function openMenu(name: string) {
  const { user, router } = visit('/dashboard/settings/members');
  await user.click(await screen.findByRole('button', { name: `Actions for ${name}` }));
  return { user, router };
}

test.each(['viewer', 'analyst'] as const)(
  'a %s sees that only owners manage members, and the member list is not requested',
  async (role) => {
    settingsApi({ role });
    const list = counted(members.list, () => refusal('role_too_low'));
    visit('/dashboard/settings/members');
    await screen.findByText('Only owners can manage members');
    expect(screen.queryByRole('button', { name: 'Invite member' })).toBeNull();
    expect(list.times).toBe(0);
  },
);

test('the member list shows name, email address and second factor of each member', async () => {
  const api = settingsApi();
  api.members.push(
    memberOf({ firstName: 'Cleo', lastName: '', email: 'cleo@example.org', secondFactor: true }),
  );
  visit('/dashboard/settings/members');
  const cleo = await rowOf(/^Cleo/u);
  cleo.getByText('On');
  cleo.getByText('cleo@example.org');
  (await rowOf(/^Ada Lovelace \(you\)/u)).getByText('Off');
  expect(screen.getAllByRole('rowheader')).toHaveLength(3);
  screen.getByRole('region', { name: 'Members (3)' });
});

/** An organization with 45 members and 30 invitations. */
function longLists() {
  const api = settingsApi();
  for (let n = 10; n < 53; n += 1)
    api.members.push(memberOf({ firstName: 'Member', lastName: `${n}`, email: `m${n}@example.org` }));
  for (let n = 10; n < 40; n += 1) api.invitations.push(invitationOf({ email: `i${n}@example.com` }));
  return api;
}

const invited = () =>
  within(screen.getByRole('region', { name: 'Open invitations' }))
    .getAllByRole('button', { name: /^Withdraw/u })
    .map((button) => button.getAttribute('aria-label')?.split(' ').at(-1));

test('long lists of members and invitations have pages of their own', async () => {
  const api = longLists();
  const { user } = visit('/dashboard/settings/members');
  const pages = within(await screen.findByRole('navigation', { name: 'Pages of members' }));
  expect(screen.getAllByRole('rowheader')).toHaveLength(20);
  screen.getByRole('region', { name: 'Members (45)' });
  expect(invited()).toHaveLength(20);
  await user.click(pages.getByRole('button', { name: 'Page 3' }));
  expect(screen.getAllByRole('rowheader')).toHaveLength(5);
  expect(invited()[0]).toBe('i10@example.com');
  await user.click(
    within(screen.getByRole('navigation', { name: 'Pages of invitations' })).getByRole('button', {
      name: 'Page 2',
    }),
  );
  expect(invited()).toHaveLength(10);
  // The last page disappears with the last of its rows.
  server.use(
    answer(invitations.withdraw, ({ params }) => {
      api.invitations = api.invitations.slice(0, 20);
      return { success: true as const, _id: String(params['id']), id: String(params['id']) };
    }),
  );
  await user.click(screen.getByRole('button', { name: 'Withdraw the invitation for i39@example.com' }));
  await user.click(await screen.findByRole('button', { name: 'Withdraw' }));
  await waitFor(() => expect(invited()[0]).toBe('i10@example.com'));
  expect(invited()).toHaveLength(20);
  expect(screen.queryByRole('navigation', { name: 'Pages of invitations' })).toBeNull();
});

test('one search finds members by name or address and invitations by address, from the first page on', async () => {
  longLists();
  const { user } = visit('/dashboard/settings/members');
  const pages = within(await screen.findByRole('navigation', { name: 'Pages of members' }));
  await user.click(pages.getByRole('button', { name: 'Page 2' }));
  const search = screen.getByRole('searchbox', { name: 'Search members and invitations' });
  await user.type(search, ' MEMBER 2{Enter}');
  await screen.findByText('10 members and 0 invitations found');
  expect(screen.getAllByRole('rowheader')).toHaveLength(10);
  screen.getByText('No open invitations found.');
  await user.clear(search);
  await user.type(search, 'i17@{Enter}');
  await screen.findByText('0 members and 1 invitation found');
  screen.getByText('No members found.');
  expect(invited()).toEqual(['i17@example.com']);
  await user.clear(search);
  await user.type(search, 'example.org{Enter}');
  await screen.findByText('45 members and 0 invitations found');
  await rowOf(/^Ada Lovelace/u);
});

test('short lists have neither a search nor pages', async () => {
  settingsApi();
  visit('/dashboard/settings/members');
  await rowOf(/^Ben Okafor/u);
  expect(screen.queryByRole('searchbox')).toBeNull();
  expect(screen.queryByRole('combobox', { name: 'Rows per page' })).toBeNull();
});

describe('role of a member', () => {
  it('changes at once, and changes back when the server refuses', async () => {
    const api = settingsApi();
    let release = () => {};
    const released = new Promise<void>((resolve) => {
      release = resolve;
    });
    server.use(
      answer(members.setRole, async ({ request, params }) => {
        expect(params['id']).toBe(api.members[1]?._id);
        expect(await request.json()).toEqual({ role: 'viewer' });
        await released;
        return refusal('conflict', 'Another user changed this.');
      }),
    );
    const { user } = visit('/dashboard/settings/members');
    const role = () => screen.findByRole('combobox', { name: 'Role of Ben Okafor' });
    expect((await role()).textContent).toBe('Analyst');
    await user.click(await role());
    await user.click(await screen.findByRole('option', { name: 'Viewer' }));
    await waitFor(async () => expect((await role()).textContent).toBe('Viewer'));
    release();
    await screen.findByText('Another user changed this.');
    expect((await role()).textContent).toBe('Analyst');
  });

  it('becomes owner only with the password', async () => {
    const api = settingsApi();
    const sent = vi.fn<(body: unknown) => void>();
    const set = counted(members.setRole, async ({ request }) => {
      const body = (await request.json()) as { password: string };
      if (body.password !== 'right') return refusal('wrong_password');
      sent(body);
      api.members = api.members.map((member) => ({ ...member, role: 'owner' as const }));
      return api.members[1];
    });
    const { user } = visit('/dashboard/settings/members');
    await user.click(await screen.findByRole('combobox', { name: 'Role of Ben Okafor' }));
    await user.click(await screen.findByRole('option', { name: 'Owner' }));
    const question = await screen.findByRole('dialog', { name: 'Make Ben Okafor an owner?' });
    expect(set.times).toBe(0);
    await user.type(within(question).getByLabelText('Your password'), 'wrong{Enter}');
    await within(question).findByText('Incorrect password.');
    await user.clear(within(question).getByLabelText('Your password'));
    await user.type(within(question).getByLabelText('Your password'), 'right{Enter}');
    await screen.findByText('Ben Okafor is now an owner');
    expect(sent).toHaveBeenCalledExactlyOnceWith({ role: 'owner', password: 'right' });
    // With two owners, the role of the first one can be changed again.
    await screen.findByRole('combobox', { name: 'Role of Ada Lovelace' });
  });

  it('of an owner is lowered only with the password and a code', async () => {
    const api = settingsApi({ secondFactor: true });
    api.members.push(memberOf({ firstName: 'Cleo', lastName: '', role: 'owner' }));
    const sent = vi.fn<(body: unknown) => void>();
    server.use(
      answer(members.setRole, async ({ request }) => {
        sent(await request.json());
        api.members = api.members.map((member) =>
          member.firstName === 'Cleo' ? { ...member, role: 'viewer' as const } : member,
        );
        return api.members[2];
      }),
    );
    const { user } = visit('/dashboard/settings/members');
    await user.click(await screen.findByRole('combobox', { name: 'Role of Cleo' }));
    await user.click(await screen.findByRole('option', { name: 'Viewer' }));
    const dialog = within(await screen.findByRole('dialog', { name: 'Make Cleo a viewer?' }));
    await user.type(dialog.getByLabelText('Authenticator code'), '123456');
    await user.type(dialog.getByLabelText('Your password'), 'right');
    await user.click(dialog.getByRole('button', { name: 'Change role' }));
    await screen.findByText('Cleo is now a viewer');
    expect(sent).toHaveBeenCalledExactlyOnceWith({ role: 'viewer', password: 'right', code: '123456' });
    expect((await screen.findByRole('combobox', { name: 'Role of Cleo' })).textContent).toBe('Viewer');
  });

  it('is disabled for the last owner, with the reason', async () => {
    settingsApi();
    const { user } = visit('/dashboard/settings/members');
    const role = await screen.findByRole('button', { name: 'Role of Ada Lovelace: Owner' });
    expect(role.getAttribute('aria-disabled')).toBe('true');
    expect(screen.queryByRole('combobox', { name: 'Role of Ada Lovelace' })).toBeNull();
    await user.hover(role);
    await screen.findByText(/^An organization needs at least one owner/u);
  });
});

describe('actions of an owner on a member', () => {
  it('removes a member after a confirmation that lists the consequences', async () => {
    const api = settingsApi();
    const ben = api.members[1];
    server.use(
      answer(members.remove, ({ params }) => {
        api.members = api.members.filter(({ _id }) => _id !== params['id']);
        return { success: true as const, _id: String(params['id']), id: String(params['id']) };
      }),
    );
    const { user } = await openMenu('Ben Okafor');
    await user.click(await screen.findByRole('menuitem', { name: 'Remove…' }));
    const question = await screen.findByRole('alertdialog', { name: 'Remove Ben Okafor?' });
    within(question).getByText(/sessions, API tokens and invitations for this organization end/u);
    await user.click(within(question).getByRole('button', { name: 'Remove' }));
    await screen.findByText('Ben Okafor removed');
    await waitFor(() => expect(screen.queryByRole('rowheader', { name: /^Ben/u })).toBeNull());
    expect(api.members).not.toContain(ben);
  });

  it('removes an owner only with the password', async () => {
    const api = settingsApi();
    api.members.push(memberOf({ firstName: 'Cleo', lastName: '', role: 'owner' }));
    server.use(
      answer(members.remove, async ({ request, params }) => {
        const { password } = (await request.json()) as { password: string };
        if (password !== 'right') return refusal('wrong_password');
        api.members = api.members.filter(({ _id }) => _id !== params['id']);
        return { success: true as const, _id: String(params['id']), id: String(params['id']) };
      }),
    );
    const { user } = await openMenu('Cleo');
    await user.click(await screen.findByRole('menuitem', { name: 'Remove…' }));
    const dialog = within(await screen.findByRole('dialog', { name: 'Remove Cleo?' }));
    dialog.getByText(/sessions, API tokens and invitations for this organization end/u);
    await user.type(dialog.getByLabelText('Your password'), 'wrong{Enter}');
    await dialog.findByText('Incorrect password.');
    await user.clear(dialog.getByLabelText('Your password'));
    await user.type(dialog.getByLabelText('Your password'), 'right{Enter}');
    await screen.findByText('Cleo removed');
    await waitFor(() => expect(screen.queryByRole('rowheader', { name: /^Cleo/u })).toBeNull());
  });

  it('resets the second factor only of a member who has one', async () => {
    const api = settingsApi();
    api.members.push(memberOf({ firstName: 'Cleo', lastName: '', secondFactor: true }));
    const reset = counted(members.resetSecondFactor, async ({ params, request }) => {
      expect(await request.json()).toEqual({ password: 'right' });
      api.members = api.members.map((member) => ({ ...member, secondFactor: false }));
      return api.members.find(({ _id }) => _id === params['id']);
    });
    const { user } = await openMenu('Ben Okafor');
    const none = await screen.findByRole('menuitem', { name: /^Reset second factor/u });
    expect(none.getAttribute('aria-disabled')).toBe('true');
    expect(none.textContent).toContain('No second factor is set up.');
    await user.keyboard('{Escape}');
    await user.click(await screen.findByRole('button', { name: 'Actions for Cleo' }));
    await user.click(await screen.findByRole('menuitem', { name: 'Reset second factor…' }));
    await user.type(await screen.findByLabelText('Your password'), 'right');
    await user.click(await screen.findByRole('button', { name: 'Reset' }));
    await screen.findByText('Second factor of Cleo reset');
    expect(reset.times).toBe(1);
    (await rowOf(/^Cleo/u)).getByText('Off');
  });

  it('transfers ownership with the password, which makes the old owner an analyst', async () => {
    const api = settingsApi();
    const ben = api.members[1];
    const sent = vi.fn<(body: unknown) => void>();
    server.use(
      answer(organizations.transferOwnership, async ({ request }) => {
        const body = (await request.json()) as { password: string };
        if (body.password !== 'right') return refusal('wrong_password');
        sent(body);
        api.user = { ...api.user, role: 'analyst' };
        return { success: true as const };
      }),
    );
    const { user } = await openMenu('Ben Okafor');
    await user.click(await screen.findByRole('menuitem', { name: 'Transfer ownership…' }));
    await user.type(await screen.findByLabelText('Your password'), 'wrong{Enter}');
    await screen.findByText('Incorrect password.');
    await user.clear(screen.getByLabelText('Your password'));
    await user.type(screen.getByLabelText('Your password'), 'right{Enter}');
    await screen.findByText('Ownership transferred');
    expect(sent).toHaveBeenCalledExactlyOnceWith({ accountId: ben?._id, password: 'right' });
    await screen.findByText('Only owners can manage members');
  });

  it('ends the sessions and API tokens of a member, who stays in the list', async () => {
    settingsApi();
    const end = counted(members.endSessions, async ({ request }) => {
      expect(await request.json()).toEqual({ password: 'right' });
      return { success: true as const, ended: 2, tokensRevoked: 1 };
    });
    const { user } = await openMenu('Ben Okafor');
    await user.click(await screen.findByRole('menuitem', { name: 'End sessions and tokens…' }));
    await user.type(await screen.findByLabelText('Your password'), 'right');
    await user.click(await screen.findByRole('button', { name: 'End sessions and tokens' }));
    await screen.findByText('Sessions and API tokens of Ben Okafor ended');
    expect(end.times).toBe(1);
    await rowOf(/^Ben Okafor/u);
  });

  it('are disabled for the own membership, each with a reason', async () => {
    settingsApi();
    await openMenu('Ada Lovelace');
    for (const name of [/^Transfer/u, /^Reset/u, /^End sessions/u, /^Remove/u]) {
      expect((await screen.findByRole('menuitem', { name })).getAttribute('aria-disabled')).toBe('true');
    }
    screen.getByText('To remove yourself, leave the organization.');
  });
});

describe('invitations', () => {
  it('invites an email address with a role, and shows the link once', async () => {
    const api = settingsApi();
    server.use(
      answer(invitations.create, async ({ request }) => {
        const body = (await request.json()) as { email: string; role: 'viewer' };
        expect(body).toEqual({ email: 'eve@example.org', role: 'viewer' });
        const invitation = invitationOf(body);
        api.invitations = [invitation];
        return { ...invitation, link: 'http://localhost:3000/invitation?token=abc', notMailed: null };
      }),
    );
    const { user } = visit('/dashboard/settings/members');
    await screen.findByText('No open invitations.');
    await user.click(screen.getByRole('button', { name: 'Invite member' }));
    const email = await screen.findByLabelText('Email');
    await user.type(email, 'eve{Enter}');
    await screen.findByText('Enter a valid email address.');
    await user.type(email, '@example.org');
    const viewer = screen.getByRole('radio', { name: 'Viewer' });
    expect(document.querySelector(`[id="${viewer.getAttribute('aria-describedby')}"]`)?.textContent).toBe(
      'Can view everything and change nothing',
    );
    await user.click(viewer);
    await user.click(screen.getByRole('button', { name: 'Send invitation' }));
    const sent = await screen.findByRole('dialog', { name: 'Invitation sent' });
    within(sent).getByText('http://localhost:3000/invitation?token=abc');
    await user.click(within(sent).getByRole('button', { name: 'Copy link' }));
    expect(await navigator.clipboard.readText()).toBe('http://localhost:3000/invitation?token=abc');
    await user.click(within(sent).getByRole('button', { name: 'Done' }));
    await screen.findByRole('button', { name: 'Withdraw the invitation for eve@example.org' });
    expect(screen.queryByText(/token=abc/u)).toBeNull();
  });

  it.each([
    ['many-invitations', /^We sent no email, because eve@example\.org has had several invitations/u],
    ['no-mail-server', /^No mail server is set up, so no email was sent\. Share this link yourself\./u],
  ] as const)('says that no email was sent for the reason %s, and shows the link', async (notMailed, why) => {
    settingsApi();
    server.use(
      answer(invitations.create, () => ({
        ...invitationOf({ email: 'eve@example.org' }),
        link: 'http://localhost:3000/invitation?token=abc',
        notMailed,
      })),
    );
    const { user } = visit('/dashboard/settings/members');
    await user.click(await screen.findByRole('button', { name: 'Invite member' }));
    await user.type(await screen.findByLabelText('Email'), 'eve@example.org{Enter}');
    const made = await screen.findByRole('dialog', { name: 'Invitation created' });
    expect(within(made).getByText(why)).toBeTruthy();
    within(made).getByText('http://localhost:3000/invitation?token=abc');
  });

  it('asks for the password to invite an owner', async () => {
    settingsApi();
    const sent = vi.fn<(body: unknown) => void>();
    server.use(
      answer(invitations.create, async ({ request }) => {
        sent(await request.json());
        return {
          ...invitationOf({ role: 'owner' }),
          link: 'http://localhost:3000/invitation?token=abc',
          notMailed: null,
        };
      }),
    );
    const { user } = visit('/dashboard/settings/members');
    await user.click(await screen.findByRole('button', { name: 'Invite member' }));
    await user.type(await screen.findByLabelText('Email'), 'eve@example.org');
    expect(screen.queryByLabelText('Your password')).toBeNull();
    await user.click(screen.getByRole('radio', { name: 'Owner' }));
    await user.type(screen.getByLabelText('Your password'), 'right');
    await user.click(screen.getByRole('button', { name: 'Send invitation' }));
    await screen.findByRole('dialog', { name: 'Invitation sent' });
    expect(sent).toHaveBeenCalledExactlyOnceWith({
      email: 'eve@example.org',
      role: 'owner',
      password: 'right',
    });
  });

  it('shows at the email field that the address already belongs to a member', async () => {
    settingsApi();
    server.use(answer(invitations.create, () => refusal('conflict', 'Ben is a member already.')));
    const { user } = visit('/dashboard/settings/members');
    await user.click(await screen.findByRole('button', { name: 'Invite member' }));
    await user.type(await screen.findByLabelText('Email'), 'ben@example.org{Enter}');
    expect((await screen.findByText('Ben is a member already.')).closest('[role=alert]')).not.toBeNull();
    screen.getByRole('dialog', { name: 'Invite member' });
  });

  it('marks an expired invitation, renews it, and withdraws it', async () => {
    const api = settingsApi();
    const expired = invitationOf({ expired: true });
    api.invitations = [expired];
    server.use(
      answer(invitations.create, async ({ request }) => {
        expect(await request.json()).toEqual({ email: 'eve@example.org', role: 'viewer' });
        // A renewed invitation keeps its id, so a list that is loaded again meanwhile keeps its row.
        const renewed = { ...expired, expired: false };
        api.invitations = [renewed];
        return { ...renewed, link: 'http://localhost:3000/invitation?token=new', notMailed: null };
      }),
      answer(invitations.withdraw, ({ params }) => {
        expect(params['id']).toBe(api.invitations[0]?._id);
        api.invitations = [];
        return { success: true as const, _id: String(params['id']), id: String(params['id']) };
      }),
    );
    const { user } = visit('/dashboard/settings/members');
    await screen.findByText('Expired');
    await user.click(screen.getByRole('button', { name: 'Renew the invitation for eve@example.org' }));
    await screen.findByText('http://localhost:3000/invitation?token=new');
    await user.click(screen.getByRole('button', { name: 'Done' }));
    await waitFor(() => expect(screen.queryByText('Expired')).toBeNull());
    await user.click(screen.getByRole('button', { name: 'Withdraw the invitation for eve@example.org' }));
    await user.click(await screen.findByRole('button', { name: 'Withdraw' }));
    await screen.findByText('No open invitations.');
  });
});

test('a member list that failed to load can be retried', async () => {
  settingsApi();
  // A socket that opens refetches, which would be the retry.
  stubSockets();
  server.use(answer(members.list, () => refusal('malformed', 'Away for a moment.')));
  const { user } = visit('/dashboard/settings/members');
  await screen.findByText('Failed to load the members.');
  server.use(
    answer(members.list, () => ({ members: [memberOf({ firstName: 'Cleo', lastName: '' })], total: 1 })),
  );
  await user.click(await screen.findByRole('button', { name: 'Retry' }));
  await rowOf(/^Cleo/u);
  expect(screen.queryByText('Failed to load the members.')).toBeNull();
});
