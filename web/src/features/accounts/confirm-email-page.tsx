import { emailChange } from '@riskboard/contract';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { meQuery } from '../../lib/session/account.ts';
import { call } from '../../lib/api/call.ts';
import { formRefusal } from '../../lib/form-refusal.ts';
import { buttonStyle } from '../../ui/button/button-style.ts';
import { Button } from '../../ui/button/button.tsx';
import { FormError } from '../../ui/input/form-error.tsx';
import { AuthFrame } from './auth-frame.tsx';

interface ConfirmEmailPageProps {
  /** Secret of the link in the email; absent when the URL had none. */
  token: string | undefined;
}

/** Confirms the email address of a new account, or a new address. The user presses a button, because mail scanners open links too. */
export function ConfirmEmailPage({ token }: ConfirmEmailPageProps) {
  const queryClient = useQueryClient();
  const confirm = useMutation({
    mutationFn: (secret: string) => call(emailChange.confirm, { body: { token: secret } }),
    // The user may be signed in here; the menu then shows the new address.
    onSuccess: () =>
      Promise.all([
        queryClient.invalidateQueries({ queryKey: meQuery.queryKey }),
        queryClient.invalidateQueries({ queryKey: ['accounts', 'address'] }),
      ]),
  });
  const refusal = confirm.error === null ? null : formRefusal(confirm.error);
  const spent =
    token === undefined
      ? 'This link is incomplete. Open it from the email again, or request a new one.'
      : refusal?.fields['token']?.message;

  if (token === undefined || spent !== undefined || confirm.isSuccess) {
    return (
      <AuthFrame title="Confirm your email address">
        {spent === undefined ? (
          <output className="text-sm">{confirm.data?.message}</output>
        ) : (
          <p role="alert" className="text-sm">
            {spent}
          </p>
        )}
        <Link to="/dashboard/settings/profile" className={buttonStyle({ variant: 'primary', size: 'lg' })}>
          Go to your profile
        </Link>
      </AuthFrame>
    );
  }
  return (
    <AuthFrame
      title="Confirm your email address"
      description="This proves that the address is yours. A new address replaces the old one, which then stops working."
    >
      <FormError message={refusal?.form ?? null} />
      <Button variant="primary" size="lg" busy={confirm.isPending} onClick={() => confirm.mutate(token)}>
        Confirm address
      </Button>
    </AuthFrame>
  );
}
