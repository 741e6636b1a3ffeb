import { createFileRoute, Link } from '@tanstack/react-router';
import { AuthFrame } from '../features/accounts/auth-frame.tsx';
import { SignupForm } from '../features/accounts/signup-form.tsx';
import { linkStyle } from '../ui/link-style.ts';

export const Route = createFileRoute('/signup')({ component: SignupPage });

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
