import { tokens, type ApiToken } from '@riskboard/contract';
import { useQueryClient } from '@tanstack/react-query';
import { Trash2 } from 'lucide-react';
import { useState } from 'react';
import { call } from '../../lib/api/call.ts';
import { AlertDialog } from '../../ui/dialog/alert-dialog.tsx';
import { IconButton } from '../../ui/button/icon-button.tsx';
import { attempt } from './attempt.ts';
import { tokensQuery } from './queries.ts';

/** Revokes an API token after a question. */
export function RevokeToken({ token }: { token: ApiToken }) {
  const queryClient = useQueryClient();
  const [asking, setAsking] = useState(false);

  async function revoke(): Promise<void> {
    await attempt(() => call(tokens.revoke, { params: { id: token._id } }), {
      done: `${token.name} is revoked`,
      failure: 'The token was not revoked',
    });
    await queryClient.invalidateQueries({ queryKey: tokensQuery.queryKey });
  }

  return (
    <>
      <IconButton
        label={`Revoke ${token.name}`}
        icon={<Trash2 aria-hidden size={16} />}
        onClick={() => setAsking(true)}
      />
      <AlertDialog
        open={asking}
        onOpenChange={setAsking}
        title={`Revoke ${token.name}?`}
        description="Scripts that use this token are refused from the next call on. This cannot be undone."
        confirmLabel="Revoke"
        danger
        onConfirm={revoke}
      />
    </>
  );
}
