import { secondFactor, type Reply } from '@riskboard/contract';
import { plural } from '@riskboard/domain';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { call } from '../../../lib/api/call.ts';
import { formatDate } from '../../../lib/format/format.ts';
import { Badge } from '../../../ui/badge/badge.tsx';
import { ButtonWithReason } from '../../../ui/button/button-with-reason.tsx';
import { Button } from '../../../ui/button/button.tsx';
import { Notice } from '../../../ui/feedback/notice.tsx';
import { toast } from '../../../ui/feedback/toast.ts';
import { Card } from '../../../ui/layout/card.tsx';
import { PasswordDialog } from '../password-dialog.tsx';
import { Loaded } from '../loaded.tsx';
import { secondFactorQuery, useRefreshAccount } from '../queries.ts';
import { UnconfirmedAddress, useUnconfirmedAddress } from '../unconfirmed-address.tsx';
import { AuthenticatorDialog, RecoveryCodesDialog } from './second-factor-dialogs.tsx';

/** Current step of a change to the second factor; null when none is in progress. */
type Step =
  | { readonly at: 'set-up' | 'renew' | 'turn-off' }
  | { readonly at: 'app'; readonly made: Reply<typeof secondFactor.begin> }
  | { readonly at: 'codes'; readonly codes: readonly string[] }
  | null;

/** State of the second factor, with the dialogs that change it. */
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
      {step?.at === 'set-up' && (
        <PasswordDialog
          title="Set up a second factor"
          description="You will log in with your password and a code from an authenticator app."
          submitLabel="Continue"
          send={(password) => call(secondFactor.begin, { body: { password } })}
          onDone={(made) => setStep({ at: 'app', made })}
          onClose={close}
        />
      )}
      {step?.at === 'app' && <AuthenticatorDialog made={step.made} onConfirmed={showCodes} onClose={close} />}
      {step?.at === 'codes' && <RecoveryCodesDialog codes={step.codes} onClose={close} />}
      {step?.at === 'renew' && (
        <PasswordDialog
          title="Create new recovery codes"
          description="You get ten new codes. Your current codes stop working."
          submitLabel="Create new codes"
          needsCode
          send={(password, code) => call(secondFactor.newRecoveryCodes, { body: { password, code } })}
          onDone={({ recoveryCodes }) => showCodes(recoveryCodes)}
          onClose={close}
        />
      )}
      {step?.at === 'turn-off' && (
        <PasswordDialog
          title="Turn off the second factor?"
          description="Your password alone will be enough to log in. Your recovery codes stop working."
          submitLabel="Turn off"
          danger
          needsCode
          send={(password, code) => call(secondFactor.disable, { body: { password, code } })}
          onDone={async () => {
            close();
            toast.success('Second factor turned off');
            await changed();
          }}
          onClose={close}
        />
      )}
    </Card>
  );
}

interface SecondFactorStateProps {
  state: Reply<typeof secondFactor.get>;
  onStep: (step: 'set-up' | 'renew' | 'turn-off') => void;
}

/** With this many codes left or fewer, a warning suggests new ones. */
const fewCodes = 3;

/** Whether the second factor is on, with the actions for that state. */
function SecondFactorState({ state, onStep }: SecondFactorStateProps) {
  const unconfirmed = useUnconfirmedAddress();
  if (!state.enabled) {
    return (
      <div className="flex flex-col items-start gap-3 p-4">
        {state.required && (
          <Notice tone="warning">Your organization requires a second factor. Set it up to continue.</Notice>
        )}
        <p className="text-muted">Require an authenticator code, so a stolen password isn&apos;t enough.</p>
        <UnconfirmedAddress />
        <ButtonWithReason
          variant="primary"
          disabledReason={unconfirmed ? 'Confirm your email address first.' : undefined}
          onClick={() => onStep('set-up')}
        >
          Set up
        </ButtonWithReason>
      </div>
    );
  }
  const few = state.recoveryCodesLeft <= fewCodes;
  return (
    <div className="flex flex-col items-start gap-3 p-4">
      <p>
        You log in with a code from your authenticator app
        {state.enabledAt !== null && ` since ${formatDate(state.enabledAt)}`}.
      </p>
      {few ? (
        <Notice tone="warning">
          {plural(state.recoveryCodesLeft, 'recovery code')} left. Create new ones before you run out.
        </Notice>
      ) : (
        <p className="text-muted">{plural(state.recoveryCodesLeft, 'recovery code')} left.</p>
      )}
      <div className="flex flex-wrap gap-2">
        <Button onClick={() => onStep('renew')}>Create new recovery codes</Button>
        <ButtonWithReason
          onClick={() => onStep('turn-off')}
          disabledReason={
            state.required ? 'One of your organizations requires a second factor for all members.' : undefined
          }
        >
          Turn off
        </ButtonWithReason>
      </div>
    </div>
  );
}
