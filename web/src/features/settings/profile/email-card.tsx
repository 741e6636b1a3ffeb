import { emailChange } from '@riskboard/contract';
import { useState } from 'react';
import { call } from '../../../lib/api/call.ts';
import { useUser } from '../../../lib/session/account.ts';
import { Button } from '../../../ui/button/button.tsx';
import { Card } from '../../../ui/layout/card.tsx';
import { Input } from '../../../ui/input/input.tsx';
import { Notice } from '../../../ui/feedback/notice.tsx';
import { PasswordField } from '../../../ui/input/password-field.tsx';
import { Form } from '../../../ui/form/form.tsx';
import { UnconfirmedAddress } from '../unconfirmed-address.tsx';
import { CodeField } from '../code-field.tsx';
import { useSubmit } from '../../../lib/hooks/use-submit.ts';

/** Requests a new email address; it changes when the user opens the link sent to it. */
export function EmailCard() {
  const { email: current, secondFactor } = useUser();
  const [email, setEmail] = useState('');
  const [password, setPassword] = useState('');
  const [code, setCode] = useState('');
  const [confirmation, setConfirmation] = useState<string>();
  const submission = useSubmit(
    (schemas) => schemas.emailChange.ask.body,
    (body) => call(emailChange.ask, { body }),
    ({ message }) => {
      setConfirmation(message);
      setEmail('');
      setPassword('');
      setCode('');
    },
  );

  return (
    <Card title="Change email address">
      <div className="flex max-w-120 flex-col gap-4 p-4">
        <UnconfirmedAddress />
        <output>{confirmation !== undefined && <Notice>{confirmation}</Notice>}</output>
        <Form
          submission={submission}
          onSubmit={() => submission.submit({ email, password, ...(secondFactor && { code }) })}
        >
          {/* Lets password managers find the account of the password. */}
          <input type="email" name="username" autoComplete="username" value={current} readOnly hidden />
          <Input
            label="New email address"
            name="email"
            type="email"
            autoComplete="email"
            value={email}
            onChange={setEmail}
            error={submission.errorAt('email')}
          />
          <PasswordField
            label="Current password"
            name="password"
            autoComplete="current-password"
            value={password}
            onChange={setPassword}
            error={submission.errorAt('password')}
          />
          {secondFactor && <CodeField value={code} onChange={setCode} error={submission.errorAt('code')} />}
          <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
            <Button type="submit" busy={submission.busy} disabled={email === '' || password === ''}>
              Send confirmation link
            </Button>
            <p className="text-sm text-muted">Your address changes when you open the link.</p>
          </div>
        </Form>
      </div>
    </Card>
  );
}
