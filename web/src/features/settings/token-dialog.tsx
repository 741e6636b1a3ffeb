import { tokenDays, tokens, type Reply, type Role } from '@riskboard/contract';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { call } from '../../lib/api/call.ts';
import { roleItems, roleNoun, roleReaches } from '../../lib/session/role-labels.ts';
import { useUser } from '../../lib/session/use-user.ts';
import { Input } from '../../ui/input/input.tsx';
import { RadioList } from '../../ui/input/radio-list.tsx';
import { FormDialog } from './form-dialog.tsx';
import { tokensQuery } from './queries.ts';
import { TokenLifetime } from './token-lifetime.tsx';
import { TokenMadeDialog } from './token-made-dialog.tsx';
import { useSubmit } from './use-submit.ts';

/** Makes an API token: what it is for, what it may do, how long it lives. */
export function TokenDialog({ onClose }: { onClose: () => void }) {
  const queryClient = useQueryClient();
  const user = useUser();
  const [name, setName] = useState('');
  const [role, setRole] = useState<Role>('viewer');
  const [days, setDays] = useState(String(tokenDays.standard));
  const [made, setMade] = useState<Reply<typeof tokens.create>>();
  const submission = useSubmit(
    (schemas) => schemas.tokens.create.body,
    (body) => call(tokens.create, { body }),
    async (token) => {
      setMade(token);
      await queryClient.invalidateQueries({ queryKey: tokensQuery.queryKey });
    },
  );

  if (made !== undefined) return <TokenMadeDialog token={made} onClose={onClose} />;
  return (
    <FormDialog
      title="New API token"
      submitLabel="Make token"
      submission={submission}
      onSubmit={() => submission.submit({ name, role, expiresInDays: Number(days || Number.NaN) })}
      onClose={onClose}
    >
      <Input
        label="Name"
        name="name"
        autoComplete="off"
        hint="What it is for, such as 'Nightly upload'."
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
            : `A token never may more than you: you are ${roleNoun[user.role]}.`,
        }))}
        value={role}
        onChange={setRole}
      />
      <TokenLifetime days={days} onChange={setDays} error={submission.errorAt('expiresInDays')} />
    </FormDialog>
  );
}
