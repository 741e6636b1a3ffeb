import { createFileRoute, Link, useLocation } from '@tanstack/react-router';
import { AuthFrame } from '../features/accounts/auth-frame.tsx';
import { leaveSignedIn } from '../features/accounts/leave-signed-in.ts';
import { LoginForm } from '../features/accounts/login-form.tsx';
import { only, searchSchema, string } from '../lib/list/search-schema.ts';
import { linkStyle } from '../ui/button/link-style.ts';
import { Notice } from '../ui/feedback/notice.tsx';

/** `next` after a login: a path of this site, so that no link can lead a new session to another site. */
const nextSearch = searchSchema({ next: only(string, (path) => /^\/(?![/\\])/u.test(path)) });

export const Route = createFileRoute('/login')({
  validateSearch: nextSearch,
  beforeLoad: ({ context: { queryClient }, search: { next } }) => leaveSignedIn(queryClient, next),
  component: LoginPage,
});

function LoginPage() {
  const { next } = Route.useSearch();
  const { notice, email } = useLocation({ select: ({ state }) => state });
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
      <LoginForm next={next} email={email} />
    </AuthFrame>
  );
}
