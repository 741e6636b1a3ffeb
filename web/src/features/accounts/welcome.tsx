import { Link } from '@tanstack/react-router';
import { buttonStyle } from '../../ui/button-style.ts';
import { AuthFrame } from './auth-frame.tsx';

/** `/` for somebody who is not signed in: the way in, and where help is when the password is lost. */
export function Welcome() {
  return (
    <AuthFrame
      title="Cyber risk, in one place"
      description="Upload threat intelligence, extract vulnerabilities and threats, and see what needs attention."
    >
      <div className="flex flex-col gap-2">
        <Link to="/login" className={buttonStyle({ variant: 'primary', size: 'lg' })}>
          Log in
        </Link>
        <Link to="/signup" className={buttonStyle({ size: 'lg' })}>
          Sign up
        </Link>
      </div>
      <section aria-labelledby="forgotten" className="border-t pt-5">
        <h2 id="forgotten" className="text-sm font-medium">
          Forgot your password?
        </h2>
        <p className="mt-1 text-sm text-muted">
          Passwords cannot be reset here yet. Ask the owner of your organization for help with your account.
        </p>
      </section>
    </AuthFrame>
  );
}
