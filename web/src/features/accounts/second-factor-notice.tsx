import type { User } from '@riskboard/contract';
import { Link } from '@tanstack/react-router';
import { ShieldCheck } from 'lucide-react';
import { organizationName } from '../../lib/session/account.ts';
import { buttonStyle } from '../../ui/button/button-style.ts';
import { Button } from '../../ui/button/button.tsx';
import { Card } from '../../ui/layout/card.tsx';
import { useLogout } from './use-session.ts';

/** Replaces every page while the user lacks the second factor that the organization requires. */
export function SecondFactorNotice({ user }: { user: User }) {
  const logout = useLogout();
  return (
    <div className="mx-auto w-full max-w-120 py-6 sm:py-16">
      <Card>
        <div className="flex flex-col items-center gap-2 px-6 py-10 text-center">
          <div className="mb-2 flex size-10 items-center justify-center rounded-full bg-accent-soft text-accent-text">
            <ShieldCheck aria-hidden size={20} />
          </div>
          <h1 className="text-lg font-semibold">Set up a second factor to continue</h1>
          <p className="max-w-90 text-sm text-muted">
            {organizationName(user)} requires a second factor for all members. You need an authenticator app
            on your phone or computer. It takes about a minute.
          </p>
          <div className="mt-4 flex flex-wrap justify-center gap-2">
            <Link to="/dashboard/settings/security" className={buttonStyle({ variant: 'primary' })}>
              Set up second factor
            </Link>
            <Button busy={logout.isPending} onClick={() => logout.mutate()}>
              Log out
            </Button>
          </div>
        </div>
      </Card>
    </div>
  );
}
