import { accounts, invitations, ownerOf, type Reply, type User } from '@riskboard/contract';
import { queryOptions, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { ApiError } from '../../lib/api/errors.ts';
import { call } from '../../lib/api/call.ts';
import { formRefusal } from '../../lib/form-refusal.ts';
import { nameText } from '../../lib/format/name-text.ts';
import { meQuery } from '../../lib/session/account.ts';
import { forgetSession } from '../../lib/session/use-session-change.ts';
import { roleRights, roleNoun } from '../../lib/session/role-labels.ts';
import { buttonStyle } from '../../ui/button/button-style.ts';
import { Button } from '../../ui/button/button.tsx';
import { ErrorState } from '../../ui/feedback/error-state.tsx';
import { Notice } from '../../ui/feedback/notice.tsx';
import { Skeleton } from '../../ui/feedback/skeleton.tsx';
import { FormError } from '../../ui/input/form-error.tsx';
import { AuthFrame } from './auth-frame.tsx';
import { LoginForm } from './login-form.tsx';
import { SignupForm } from './signup-form.tsx';
import { useAccountChange } from './use-session.ts';

interface InvitationPageProps {
  /** Secret of the invitation link; absent when the URL had none. */
  token: string | undefined;
}

/** Shows an invitation to an organization, and the form with which its reader accepts it. */
export function InvitationPage({ token }: InvitationPageProps) {
  if (token === undefined) {
    return <SpentInvitation reason="This link is incomplete. Open it from the email again." />;
  }
  return <InvitationOf token={token} />;
}

function InvitationOf({ token }: { token: string }) {
  const invitation = useQuery(invitationQuery(token));
  // An error means that no user is logged in.
  const me = useQuery({ ...meQuery, retry: false });
  useAccountChange();

  if (invitation.error instanceof ApiError && invitation.error.status === 404) {
    return <SpentInvitation reason={invitation.error.message} />;
  }
  if (invitation.error !== null) {
    return (
      <AuthFrame title="Invitation">
        <ErrorState
          title="Failed to load the invitation."
          error={invitation.error}
          busy={invitation.isFetching}
          onRetry={() => void invitation.refetch()}
        />
      </AuthFrame>
    );
  }
  if (invitation.data === undefined || me.isPending) {
    return (
      <AuthFrame title="Invitation">
        <Skeleton width="80%" />
        <Skeleton />
      </AuthFrame>
    );
  }
  const user = me.error === null ? me.data : undefined;
  return <OpenInvitation token={token} invitation={invitation.data} user={user} />;
}

function SpentInvitation({ reason }: { reason: string }) {
  return (
    <AuthFrame title="Invitation">
      <p role="alert" className="text-sm">
        {reason}
      </p>
      <Link to="/login" className={buttonStyle({ size: 'lg' })}>
        Log in
      </Link>
    </AuthFrame>
  );
}

interface OpenInvitationProps {
  token: string;
  invitation: InvitationFacts;
  /** Absent when no user is logged in. */
  user: User | undefined;
}

const sameAddress = (one: string, other: string) => one.toLowerCase() === other.toLowerCase();

/** A valid invitation, with the form that fits the reader: join, log out first, log in, or sign up. */
function OpenInvitation({ token, invitation, user }: OpenInvitationProps) {
  const { organization, email, role, invitedBy, known, claimable } = invitation;
  /** Chosen by the reader: an own account instead of that of the address, or that account. */
  const [chosen, setChosen] = useState<'signup' | 'login'>();
  const name = organization === '' ? 'the organization' : organization;
  const form = chosen ?? (known === true ? 'login' : 'signup');
  const mine = user !== undefined && sameAddress(user.email, email);
  const asMember = { token, email };
  return (
    <AuthFrame
      title={`Join ${nameText(name)}`}
      description={
        <>
          {invitedBy === '' ? 'You have been invited' : `${nameText(invitedBy)} invited you`} as{' '}
          {roleNoun[role]}: you {roleRights[role]}.
        </>
      }
    >
      {mine && <JoinForm token={token} organization={name} user={user} />}
      {user !== undefined && !mine && <OtherAccount user={user} email={email} />}
      {user === undefined && form === 'login' && (
        <>
          {known === true && <Notice>You already have an account. Log in to join.</Notice>}
          <LoginForm invitation={asMember} />
          {claimable && (
            <div className="flex flex-col items-start gap-2">
              <p className="text-sm text-muted">
                The account with this address was never confirmed. If it is not yours, create your own: the
                address will be removed from the other account.
              </p>
              <Button onClick={() => setChosen('signup')}>Create my own account</Button>
            </div>
          )}
          {known === null && <Button onClick={() => setChosen('signup')}>I have no account yet</Button>}
        </>
      )}
      {user === undefined && form === 'signup' && (
        <>
          <SignupForm invitation={asMember} />
          {known === null && <Button onClick={() => setChosen('login')}>I already have an account</Button>}
        </>
      )}
    </AuthFrame>
  );
}

/** Organization, role and recipient of an invitation. */
type InvitationFacts = Reply<typeof invitations.read>;

const invitationQuery = (token: string) =>
  queryOptions({
    queryKey: ['organization', 'invitation', token],
    queryFn: ({ signal }) => call(invitations.read, { body: { token }, signal }),
    staleTime: Number.POSITIVE_INFINITY,
  });

interface JoinFormProps {
  token: string;
  organization: string;
  user: User;
}

/** Shown when the recipient of the invitation is logged in. */
function JoinForm({ token, organization, user }: JoinFormProps) {
  const queryClient = useQueryClient();
  const navigate = useNavigate();
  const join = useMutation({
    mutationFn: () => call(invitations.accept, { body: { token }, owner: ownerOf(user) }),
    async onSuccess() {
      // The server has replaced the session with one in the new organization.
      forgetSession({ keepsDraft: true });
      queryClient.clear();
      await navigate({ to: '/dashboard' });
    },
  });
  return (
    <div className="flex flex-col gap-4">
      <FormError message={join.error === null ? null : formRefusal(join.error).form} />
      <Button variant="primary" size="lg" busy={join.isPending} onClick={() => join.mutate()}>
        {join.isPending ? 'Joining…' : `Join ${organization}`}
      </Button>
    </div>
  );
}

interface OtherAccountProps {
  user: User;
  /** Address of the recipient. */
  email: string;
}

/** Shown when a user with another address is logged in. */
function OtherAccount({ user, email }: OtherAccountProps) {
  const queryClient = useQueryClient();
  const logout = useMutation({
    mutationFn: () => call(accounts.logout, { owner: ownerOf(user) }),
    // Stays on this page, which then shows the form for the invited address.
    onSuccess() {
      forgetSession();
      queryClient.removeQueries({ type: 'inactive' });
      return queryClient.resetQueries({ queryKey: meQuery.queryKey });
    },
  });
  return (
    <div className="flex flex-col gap-4">
      <p className="text-sm wrap-anywhere">
        This invitation is for <strong className="font-medium">{email}</strong>. You are logged in as{' '}
        <strong className="font-medium">{user.email}</strong>.
      </p>
      <FormError message={logout.error === null ? null : formRefusal(logout.error).form} />
      <div className="flex flex-col gap-2">
        <Button variant="primary" size="lg" busy={logout.isPending} onClick={() => logout.mutate()}>
          Log out
        </Button>
        <Link to="/dashboard" className={buttonStyle({ size: 'lg' })}>
          Stay logged in
        </Link>
      </div>
    </div>
  );
}
