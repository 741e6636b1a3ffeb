import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { buttonStyle } from '../../ui/button/button-style.ts';
import { linkStyle } from '../../ui/button/link-style.ts';
import { AuthFrame } from './auth-frame.tsx';
import { ResetForm } from './reset-form.tsx';

interface ResetPageProps {
  /** Secret of the mailed link; absent when the address had none. */
  token: string | undefined;
}

/** A new password by a mailed link; a link that is used up leads to a new one. */
export function ResetPage({ token }: ResetPageProps) {
  const [spent, setSpent] = useState<string | null>(
    token === undefined
      ? 'This link is not complete. Open it from the mail again, or ask for a new one.'
      : null,
  );
  const footer = (
    <Link to="/login" className={linkStyle}>
      Log in
    </Link>
  );
  if (token === undefined || spent !== null) {
    return (
      <AuthFrame title="Set a new password" footer={footer}>
        <p role="alert" className="text-sm">
          {spent}
        </p>
        <Link to="/" state={{ forgotten: '' }} className={buttonStyle({ variant: 'primary', size: 'lg' })}>
          Ask for a new link
        </Link>
      </AuthFrame>
    );
  }
  return (
    <AuthFrame
      title="Set a new password"
      description="You will be logged out everywhere and log in again with it."
      footer={footer}
    >
      <ResetForm token={token} onSpent={setSpent} />
    </AuthFrame>
  );
}
