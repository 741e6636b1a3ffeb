import type { User } from '@riskboard/contract';
import { roleDeeds, roleNoun } from '../../lib/session/role-labels.ts';
import { Notice } from '../../ui/feedback/notice.tsx';
import { AuthFrame } from './auth-frame.tsx';
import type { InvitationFacts } from './invitation-query.ts';
import { JoinForm } from './join-form.tsx';
import { LoginForm } from './login-form.tsx';
import { OtherAccount } from './other-account.tsx';
import { SignupForm } from './signup-form.tsx';

interface OpenInvitationProps {
  token: string;
  invitation: InvitationFacts;
  /** Who is signed in here. */
  user: User | undefined;
}

const sameAddress = (one: string, other: string) => one.toLowerCase() === other.toLowerCase();

/** An invitation that is open: what it offers, and the step that its reader has to take. */
export function OpenInvitation({ token, invitation, user }: OpenInvitationProps) {
  const { organization, email, role, invitedBy, known } = invitation;
  const name = organization === '' ? 'the organization' : organization;
  const mine = user !== undefined && sameAddress(user.email, email);
  const asMember = { token, email };
  return (
    <AuthFrame
      title={`Join ${name}`}
      description={
        <>
          {invitedBy === '' ? 'You are invited' : `${invitedBy} invites you`} as {roleNoun[role]}, who{' '}
          {roleDeeds[role]}.
        </>
      }
    >
      {mine && <JoinForm token={token} organization={name} />}
      {user !== undefined && !mine && <OtherAccount user={user} email={email} />}
      {user === undefined && known && (
        <>
          <Notice>You have an account already. Log in to join.</Notice>
          <LoginForm invitation={asMember} />
        </>
      )}
      {user === undefined && !known && <SignupForm invitation={asMember} />}
    </AuthFrame>
  );
}
