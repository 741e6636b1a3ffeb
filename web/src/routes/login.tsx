import { createFileRoute, Link } from '@tanstack/react-router';
import { AuthFrame } from '../features/accounts/auth-frame.tsx';
import { LoginForm } from '../features/accounts/login-form.tsx';
import { NextSearch } from '../features/accounts/next-search.ts';
import { linkStyle } from '../ui/link-style.ts';

export const Route = createFileRoute('/login')({
  validateSearch: NextSearch,
  component: LoginPage,
});

function LoginPage() {
  const { next } = Route.useSearch();
  return (
    <AuthFrame
      title="Log in"
      footer={
        <>
          No account yet?{' '}
          <Link to="/signup" className={linkStyle}>
            Sign up
          </Link>
        </>
      }
    >
      <LoginForm next={next} />
    </AuthFrame>
  );
}
