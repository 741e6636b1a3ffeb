import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { meQuery } from '../../lib/session/account.ts';
import { ApiError } from '../../lib/api/call-errors.ts';
import { buttonStyle } from '../../ui/button/button-style.ts';
import { ErrorState } from '../../ui/feedback/error-state.tsx';
import { Skeleton } from '../../ui/feedback/skeleton.tsx';
import { AuthFrame } from './auth-frame.tsx';
import { invitationQuery } from './invitation-query.ts';
import { OpenInvitation } from './open-invitation.tsx';

interface InvitationPageProps {
  /** Secret of the invitation's link; absent when the address had none. */
  token: string | undefined;
}

/** An invitation to an organisation: what it is for, and the way in for whoever opens it. */
export function InvitationPage({ token }: InvitationPageProps) {
  if (token === undefined) {
    return <SpentInvitation reason="This link is not complete. Open it from the mail again." />;
  }
  return <InvitationOf token={token} />;
}

function InvitationOf({ token }: { token: string }) {
  const invitation = useQuery(invitationQuery(token));
  // A refusal says that nobody is signed in, as good an answer as any.
  const me = useQuery({ ...meQuery, retry: false });

  if (invitation.error instanceof ApiError && invitation.error.status === 404) {
    return <SpentInvitation reason={invitation.error.message} />;
  }
  if (invitation.error !== null) {
    return (
      <AuthFrame title="Invitation">
        <ErrorState
          title="The invitation could not be read."
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
