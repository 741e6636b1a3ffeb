import { accounts, type User } from '@riskboard/contract';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { meQuery } from '../../lib/session/account.ts';
import { call } from '../../lib/api/call.ts';
import { formRefusal } from '../../lib/form-refusal.ts';
import { Button } from '../../ui/button/button.tsx';
import { buttonStyle } from '../../ui/button/button-style.ts';
import { FormError } from '../../ui/input/form-error.tsx';

interface OtherAccountProps {
  user: User;
  /** Whom the invitation means. */
  email: string;
}

/** For somebody who is signed in with another address than the invitation's. */
export function OtherAccount({ user, email }: OtherAccountProps) {
  const queryClient = useQueryClient();
  const logout = useMutation({
    mutationFn: () => call(accounts.logout),
    // Stays here: the invitation now asks for its own address.
    onSuccess: () => queryClient.resetQueries({ queryKey: meQuery.queryKey }),
  });
  return (
    <div className="flex flex-col gap-4">
      <p className="text-sm wrap-anywhere">
        This invitation is for <strong className="font-medium">{email}</strong>. You are signed in as{' '}
        <strong className="font-medium">{user.email}</strong>.
      </p>
      <FormError message={logout.error === null ? null : formRefusal(logout.error).form} />
      <div className="flex flex-col gap-2">
        <Button variant="primary" size="lg" busy={logout.isPending} onClick={() => logout.mutate()}>
          Log out
        </Button>
        <Link to="/dashboard" className={buttonStyle({ size: 'lg' })}>
          Stay signed in
        </Link>
      </div>
    </div>
  );
}
