import { createFileRoute, Link, redirect, useLocation } from '@tanstack/react-router';
import { AuthFrame } from '../features/accounts/auth-frame.tsx';
import { leaveSignedIn } from '../features/accounts/leave-signed-in.ts';
import { hideToken } from '../features/accounts/link-token.ts';
import { SignupForm } from '../features/accounts/signup-form.tsx';
import { searchSchema, string } from '../lib/list/search-schema.ts';
import { linkStyle } from '../ui/button/link-style.ts';

export const Route = createFileRoute('/signup')({
  validateSearch: searchSchema({ invitation: string, claim: string }),
  async beforeLoad({ context: { queryClient }, search: { invitation, claim }, location: { state } }) {
    // Older links lead here; the invitation page decides between sign-up and login.
    if (invitation !== undefined) throw redirect({ to: '/invitation', search: { token: invitation } });
    hideToken('/signup', { token: claim });
    // The link that claims an address makes an account, also beside the one that is signed in.
    if (state.linkToken === undefined) await leaveSignedIn(queryClient);
  },
  component: SignupPage,
});

function SignupPage() {
  const claim = useLocation({ select: ({ state }) => state.linkToken });
  return (
    <AuthFrame
      title="Create your account"
      description={
        claim === undefined
          ? 'You will be the owner of your organization.'
          : 'Enter the address that the link was sent to. It will be removed from the account that has it now. You get no access to that account.'
      }
      footer={
        <>
          Already signed up?{' '}
          <Link to="/login" className={linkStyle}>
            Log in
          </Link>
        </>
      }
    >
      <SignupForm {...(claim !== undefined && { claim })} />
    </AuthFrame>
  );
}
