import { createFileRoute, Link, redirect, useLocation } from '@tanstack/react-router';
import { AuthFrame } from '../features/accounts/auth-frame.tsx';
import { hideToken } from '../features/accounts/link-token.ts';
import { SignupForm } from '../features/accounts/signup-form.tsx';
import { searchSchema, string } from '../lib/list/search-schema.ts';
import { linkStyle } from '../ui/button/link-style.ts';

export const Route = createFileRoute('/signup')({
  validateSearch: searchSchema({ invitation: string, claim: string }),
  beforeLoad({ search: { invitation, claim } }) {
    // Older links lead here; the invitation page decides between sign-up and login.
    if (invitation !== undefined) throw redirect({ to: '/invitation', search: { token: invitation } });
    hideToken('/signup', { token: claim });
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
