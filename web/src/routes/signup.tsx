import { createFileRoute, Link, redirect } from '@tanstack/react-router';
import { AuthFrame } from '../features/accounts/auth-frame.tsx';
import { SignupForm } from '../features/accounts/signup-form.tsx';
import { searchSchema, string } from '../lib/list/search-schema.ts';
import { linkStyle } from '../ui/button/link-style.ts';

export const Route = createFileRoute('/signup')({
  validateSearch: searchSchema({ invitation: string }),
  beforeLoad({ search: { invitation } }) {
    // One page knows what an invitation is for, and whether its address has an account already.
    if (invitation !== undefined) throw redirect({ to: '/invitation', search: { token: invitation } });
  },
  component: SignupPage,
});

function SignupPage() {
  return (
    <AuthFrame
      title="Create your account"
      description="Your organization starts with you as its owner."
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
