import { secondFactor, type Reply } from '@riskboard/contract';
import { formatDate, plural } from '../../lib/format/format.ts';
import { Button } from '../../ui/button/button.tsx';
import { Notice } from '../../ui/feedback/notice.tsx';

interface SecondFactorStateProps {
  state: Reply<typeof secondFactor.get>;
  onStep: (step: 'set-up' | 'renew' | 'turn-off') => void;
}

/** Codes that are left when it is time for new ones. */
const fewCodes = 3;

/** What protects the account now, and what can be done about it. */
export function SecondFactorState({ state, onStep }: SecondFactorStateProps) {
  if (!state.enabled) {
    return (
      <div className="flex flex-col items-start gap-3 p-4">
        {state.required && (
          <Notice tone="warning">
            Your organization requires a second factor. Set it up to go on working.
          </Notice>
        )}
        <p className="text-muted">
          A code from an authenticator app besides your password: whoever learns the password alone does not
          get in.
        </p>
        <Button variant="primary" onClick={() => onStep('set-up')}>
          Set up
        </Button>
      </div>
    );
  }
  const few = state.recoveryCodesLeft <= fewCodes;
  return (
    <div className="flex flex-col items-start gap-3 p-4">
      <p>
        An authenticator app is asked for a code when you sign in
        {state.enabledAt !== null && ` since ${formatDate(state.enabledAt)}`}.
      </p>
      {few ? (
        <Notice tone="warning">
          {plural(state.recoveryCodesLeft, 'recovery code')} left. Make new ones before you need them.
        </Notice>
      ) : (
        <p className="text-muted">{plural(state.recoveryCodesLeft, 'recovery code')} left.</p>
      )}
      <div className="flex flex-wrap gap-2">
        <Button onClick={() => onStep('renew')}>Make new recovery codes</Button>
        <Button
          onClick={() => onStep('turn-off')}
          disabledReason={
            state.required ? 'An organization of yours requires it of all its members.' : undefined
          }
        >
          Turn off
        </Button>
      </div>
    </div>
  );
}
