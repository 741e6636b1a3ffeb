import { Link } from '@tanstack/react-router';
import { buttonStyle } from '../../ui/button/button-style.ts';
import { AuthFrame } from './auth-frame.tsx';
import { ForgotForm } from './forgot-form.tsx';

interface WelcomeProps {
  /** Came by 'Forgot your password?', with what was typed as address. */
  forgotten: string | undefined;
}

/** `/` for somebody who is not signed in: the way in, and the way to a new password. */
export function Welcome({ forgotten }: WelcomeProps) {
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
      <section aria-labelledby="forgotten" className="flex flex-col gap-3 border-t pt-5">
        <div>
          <h2 id="forgotten" className="text-base font-semibold">
            Forgot your password?
          </h2>
          <p className="mt-1 text-sm text-muted">We mail you a link to set a new one.</p>
        </div>
        <ForgotForm email={forgotten ?? ''} focus={forgotten !== undefined} />
      </section>
    </AuthFrame>
  );
}
