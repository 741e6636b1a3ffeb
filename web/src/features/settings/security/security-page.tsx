import { passwords } from '@riskboard/contract';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { call } from '../../../lib/api/call.ts';
import { useSubmit } from '../../../lib/hooks/use-submit.ts';
import { useUser } from '../../../lib/session/account.ts';
import { revokeTokensLabel } from '../../../lib/session/revoke-tokens.ts';
import { Button } from '../../../ui/button/button.tsx';
import { toast } from '../../../ui/feedback/toast.ts';
import { Form } from '../../../ui/form/form.tsx';
import { Checkbox } from '../../../ui/input/checkbox.tsx';
import { PasswordField } from '../../../ui/input/password-field.tsx';
import { PasswordMeter } from '../../../ui/input/password-meter.tsx';
import { Card } from '../../../ui/layout/card.tsx';
import { CodeField } from '../code-field.tsx';
import { SecondFactorCard } from './second-factor-card.tsx';
import { SessionsCard } from './sessions-card.tsx';

/** Second factor, password and sessions of the account. */
export function SecurityPage() {
  return (
    <>
      <SecondFactorCard />
      <PasswordCard />
      <SessionsCard />
    </>
  );
}

/** Changes the user's password, which ends every other session. */
function PasswordCard() {
  const { email, secondFactor } = useUser();
  const queryClient = useQueryClient();
  const [current, setCurrent] = useState('');
  const [password, setPassword] = useState('');
  const [code, setCode] = useState('');
  /** The password of the last submission, to which its messages apply. */
  const [sent, setSent] = useState('');
  const [revokeTokens, setRevokeTokens] = useState(true);
  const submission = useSubmit(
    (schemas) => schemas.passwords.change.body,
    (body) => call(passwords.change, { body }),
    async () => {
      setCurrent('');
      setPassword('');
      setCode('');
      toast.success('Password changed', 'Your other sessions have been logged out.');
      await queryClient.invalidateQueries({ queryKey: ['accounts'] });
    },
  );

  return (
    <Card title="Password">
      <div className="max-w-120 p-4">
        <Form
          submission={submission}
          onSubmit={() => {
            setSent(password);
            submission.submit({ current, password, revokeTokens, ...(secondFactor && { code }) });
          }}
        >
          {/* Lets password managers find the account of the password. */}
          <input type="email" name="username" autoComplete="username" value={email} readOnly hidden />
          <PasswordField
            label="Current password"
            name="current"
            autoComplete="current-password"
            value={current}
            onChange={setCurrent}
            error={submission.errorAt('current')}
          />
          <PasswordField
            label="New password"
            name="password"
            autoComplete="new-password"
            value={password}
            onChange={setPassword}
            error={submission.errorAt('password')}
            hint={
              <PasswordMeter
                password={password}
                refused={sent === password && submission.errorAt('password') !== undefined}
              />
            }
          />
          {secondFactor && <CodeField value={code} onChange={setCode} error={submission.errorAt('code')} />}
          <Checkbox label={revokeTokensLabel} checked={revokeTokens} onChange={setRevokeTokens} />
          <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
            <Button type="submit" busy={submission.busy} disabled={current === '' || password === ''}>
              Change password
            </Button>
            <p className="text-sm text-muted">Your other sessions will be logged out.</p>
          </div>
        </Form>
      </div>
    </Card>
  );
}
