import { secondFactor, type Reply } from '@riskboard/contract';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { lazy, Suspense, useState } from 'react';
import { call } from '../../lib/api/call.ts';
import { toast } from '../../ui/feedback/toast.ts';
import { Badge } from '../../ui/badge/badge.tsx';
import { Card } from '../../ui/layout/card.tsx';
import { PasswordDialog } from './lazy-password-dialog.tsx';
import { Loaded } from './loaded.tsx';
import { secondFactorQuery } from './queries.ts';
import { SecondFactorState } from './second-factor-state.tsx';
import { useRefreshAccount } from './use-refresh-account.ts';

// They come with the first question.
const RecoveryCodesDialog = lazy(async () => ({
  default: (await import('./recovery-codes-dialog.tsx')).RecoveryCodesDialog,
}));
const AuthenticatorDialog = lazy(async () => ({
  default: (await import('./authenticator-dialog.tsx')).AuthenticatorDialog,
}));

/** Where one is on the way; null: nowhere. */
type Step =
  | { readonly at: 'set-up' | 'renew' | 'turn-off' }
  | { readonly at: 'app'; readonly made: Reply<typeof secondFactor.begin> }
  | { readonly at: 'codes'; readonly codes: readonly string[] }
  | null;

/** The second factor: whether it is on, and every way to change that. */
export function SecondFactorCard() {
  const query = useQuery(secondFactorQuery);
  const queryClient = useQueryClient();
  const refresh = useRefreshAccount();
  const [step, setStep] = useState<Step>(null);
  const close = () => setStep(null);

  async function changed(): Promise<void> {
    await Promise.all([queryClient.invalidateQueries({ queryKey: ['accounts'] }), refresh()]);
  }

  async function showCodes(codes: readonly string[]): Promise<void> {
    setStep({ at: 'codes', codes });
    await changed();
  }

  return (
    <Card
      title="Second factor"
      actions={
        query.data === undefined ? undefined : query.data.enabled ? (
          <Badge tone="success">On</Badge>
        ) : (
          <Badge tone={query.data.required ? 'warning' : 'neutral'}>
            {query.data.required ? 'Required' : 'Off'}
          </Badge>
        )
      }
    >
      <Loaded query={query} failure="Failed to load your second factor." rows={1}>
        {(state) => <SecondFactorState state={state} onStep={(at) => setStep({ at })} />}
      </Loaded>
      <Suspense>
        {step?.at === 'set-up' && (
          <PasswordDialog
            title="Set up a second factor"
            description="Signing in then takes a code from an authenticator app besides your password."
            submitLabel="Go on"
            send={(password) => call(secondFactor.begin, { body: { password } })}
            onDone={(made) => setStep({ at: 'app', made })}
            onClose={close}
          />
        )}
        {step?.at === 'app' && (
          <AuthenticatorDialog made={step.made} onConfirmed={showCodes} onClose={close} />
        )}
        {step?.at === 'codes' && <RecoveryCodesDialog codes={step.codes} onClose={close} />}
        {step?.at === 'renew' && (
          <PasswordDialog
            title="Make new recovery codes"
            description="You get ten new codes. The codes that you have now stop working."
            submitLabel="Make new codes"
            send={(password) => call(secondFactor.newRecoveryCodes, { body: { password } })}
            onDone={({ recoveryCodes }) => showCodes(recoveryCodes)}
            onClose={close}
          />
        )}
        {step?.at === 'turn-off' && (
          <PasswordDialog
            title="Turn off the second factor?"
            description="Your password alone is then enough to sign in. Your recovery codes stop working."
            submitLabel="Turn off"
            danger
            send={(password) => call(secondFactor.disable, { body: { password } })}
            onDone={async () => {
              close();
              toast.success('Second factor turned off');
              await changed();
            }}
            onClose={close}
          />
        )}
      </Suspense>
    </Card>
  );
}
