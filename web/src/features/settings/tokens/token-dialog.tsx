import { reports, tokenDays, tokens, type Reply, type Role } from '@riskboard/contract';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { call } from '../../../lib/api/call.ts';
import { formatDate } from '../../../lib/format/format.ts';
import { useNow } from '../../../lib/hooks/use-now.ts';
import { useSubmit } from '../../../lib/hooks/use-submit.ts';
import { roleItems, roleNoun, roleReaches } from '../../../lib/session/role-labels.ts';
import { useUser } from '../../../lib/session/account.ts';
import { nameText } from '../../../lib/format/name-text.ts';
import { Button } from '../../../ui/button/button.tsx';
import { ShownOnceDialog } from '../../../ui/dialog/shown-once-dialog.tsx';
import { Input } from '../../../ui/input/input.tsx';
import { RadioList } from '../../../ui/input/radio-list.tsx';
import { CodeBlock } from '../../../ui/text/code-block.tsx';
import { FormDialog } from '../../../ui/dialog/form-dialog.tsx';
import { OwnPasswordField } from '../own-password-field.tsx';
import { tokensQuery } from '../queries.ts';

/** Creates an API token with a name, a role and a lifetime, then shows it. */
export function TokenDialog({ onClose }: { onClose: () => void }) {
  const queryClient = useQueryClient();
  const user = useUser();
  const [name, setName] = useState('');
  const [role, setRole] = useState<Role>('viewer');
  const [days, setDays] = useState(String(tokenDays.standard));
  const [password, setPassword] = useState('');
  const [created, setCreated] = useState<Reply<typeof tokens.create>>();
  const submission = useSubmit(
    (schemas) => schemas.tokens.create.body,
    (body) => call(tokens.create, { body }),
    async (token) => {
      setCreated(token);
      await queryClient.invalidateQueries({ queryKey: tokensQuery.queryKey });
    },
  );

  if (created !== undefined) return <NewTokenDialog token={created} onClose={onClose} />;
  return (
    <FormDialog
      title="New API token"
      submitLabel="Create token"
      submission={submission}
      onSubmit={() => submission.submit({ name, role, password, expiresInDays: Number(days || Number.NaN) })}
      onClose={onClose}
    >
      <Input
        label="Name"
        name="name"
        autoComplete="off"
        hint="What the token is for, e.g. 'Nightly upload'."
        value={name}
        onChange={setName}
        error={submission.errorAt('name')}
      />
      <RadioList
        label="Role"
        items={roleItems.map((item) => ({
          ...item,
          disabledReason: roleReaches(user.role, item.value)
            ? undefined
            : `A token cannot have a higher role than you. You are ${roleNoun[user.role]}.`,
        }))}
        value={role}
        onChange={setRole}
      />
      <TokenLifetime days={days} onChange={setDays} error={submission.errorAt('expiresInDays')} />
      <OwnPasswordField value={password} onChange={setPassword} error={submission.errorAt('password')} />
    </FormDialog>
  );
}

const presets = [7, 30, tokenDays.standard, tokenDays.most] as const;
const dayLength = 86_400_000;

interface TokenLifetimeProps {
  /** Days, as the user typed them. */
  days: string;
  onChange: (days: string) => void;
  error: string | undefined;
}

/** Lifetime of a token in days, with the resulting date. */
function TokenLifetime({ days, onChange, error }: TokenLifetimeProps) {
  const now = useNow();
  const count = Number(days);
  const valid = Number.isInteger(count) && count >= tokenDays.least && count <= tokenDays.most;
  return (
    <div className="flex flex-col gap-2">
      <Input
        label="Expires after (days)"
        name="expiresInDays"
        inputMode="numeric"
        autoComplete="off"
        value={days}
        onChange={(text) => onChange(text.replaceAll(/\D/gu, '').slice(0, 4))}
        error={error === undefined ? undefined : `Enter ${tokenDays.least} to ${tokenDays.most} days.`}
        hint={
          valid
            ? `Valid until ${formatDate(new Date(now + count * dayLength).toISOString())}.`
            : `${tokenDays.least} to ${tokenDays.most} days.`
        }
      />
      <fieldset className="flex flex-wrap gap-2">
        <legend className="sr-only">Common lifetimes</legend>
        {presets.map((preset) => (
          <Button
            key={preset}
            size="sm"
            aria-pressed={count === preset}
            onClick={() => onChange(String(preset))}
            className="aria-pressed:border-accent aria-pressed:bg-accent-soft aria-pressed:text-accent-text"
          >
            {preset} days
          </Button>
        ))}
      </fieldset>
    </div>
  );
}

interface NewTokenDialogProps {
  token: Reply<typeof tokens.create>;
  onClose: () => void;
}

/** Shows a new API token, once, with an example of its use. */
function NewTokenDialog({ token, onClose }: NewTokenDialogProps) {
  return (
    <ShownOnceDialog
      title={`Token for ${nameText(token.name)}`}
      description="Copy the token now. It is not shown again."
      onClose={onClose}
    >
      <CodeBlock label="Token" text={token.token} copyLabel="Copy token" />
      <CodeBlock
        label="Try it"
        text={`curl -H 'Authorization: Bearer ${token.token}' ${location.origin}${reports.overview.path}`}
        copyLabel="Copy command"
      />
    </ShownOnceDialog>
  );
}
