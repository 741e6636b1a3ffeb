import { emailChange } from '@riskboard/contract';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { call } from '../../lib/api/call.ts';
import { Button } from '../../ui/button/button.tsx';
import { Notice } from '../../ui/feedback/notice.tsx';
import { attempt } from '../../ui/feedback/attempt.ts';
import { addressQuery } from './queries.ts';

/** Whether the address still has to be confirmed; false while this is not known. */
export function useUnconfirmedAddress(): boolean {
  const { data } = useQuery(addressQuery);
  return data !== undefined && data.verificationRequired && !data.verified;
}

/** Says that the email address is not confirmed, and sends the link again. Empty for a confirmed address. */
export function UnconfirmedAddress() {
  const { data } = useQuery(addressQuery);
  const unconfirmed = useUnconfirmedAddress();
  const [busy, setBusy] = useState(false);
  if (!unconfirmed || data === undefined) return null;

  async function resend(): Promise<void> {
    setBusy(true);
    await attempt(() => call(emailChange.verify), {
      done: 'Confirmation link sent',
      failure: 'Failed to send the link',
    });
    setBusy(false);
  }

  return (
    <div className="flex flex-col items-start gap-3">
      <Notice tone="warning">
        {data.email} is not confirmed yet. Open the link that we emailed to you. Until then you cannot set up
        a second factor, and the owner of the address can claim it.
      </Notice>
      <Button busy={busy} onClick={() => void resend()}>
        Send the link again
      </Button>
    </div>
  );
}
