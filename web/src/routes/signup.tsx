import { createFileRoute, Link, redirect } from '@tanstack/react-router';
import { AuthFrame } from '../features/accounts/auth-frame.tsx';
import { SignupForm } from '../features/accounts/signup-form.tsx';
import { searchSchema, string } from '../lib/list/search-schema.ts';
import { linkStyle } from '../ui/button/link-style.ts';

export const Route = createFileRoute('/signup')({
  validateSearch: searchSchema({ invitation: string }),
  beforeLoad({ search: { invitation } }) {
    // Older links lead here; the invitation page decides between sign-up and login.
    if (invitation !== undefined) throw redirect({ to: '/invitation', search: { token: invitation } });
  },
  component: SignupPage,
});

function SignupPage() {
  return (
    <AuthFrame
      title="Create your account"
      description="You will be the owner of your organization."
      footer={
        <>
          Already signed up?{' '}
          <Link to="/login" className={linkStyle}>
            Log in
          </Link>
        </>
      }
    >
      <SignupForm />
    </AuthFrame>
  );
}
