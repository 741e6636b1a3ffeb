import { createFileRoute, Link, useLocation } from '@tanstack/react-router';
import { AuthFrame } from '../features/accounts/auth-frame.tsx';
import { LoginForm } from '../features/accounts/login-form.tsx';
import { nextSearch } from '../features/accounts/next-search.ts';
import { linkStyle } from '../ui/button/link-style.ts';
import { Notice } from '../ui/feedback/notice.tsx';

export const Route = createFileRoute('/login')({
  validateSearch: nextSearch,
  component: LoginPage,
});

function LoginPage() {
  const { next } = Route.useSearch();
  const notice = useLocation({ select: ({ state }) => state.notice });
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
      {notice !== undefined && (
        <output>
          <Notice>{notice}</Notice>
        </output>
      )}
      <LoginForm next={next} />
    </AuthFrame>
  );
}
