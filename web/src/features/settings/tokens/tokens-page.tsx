import { TokenDialog } from './token-dialog.tsx';
import { tokens, type ApiToken } from '@riskboard/contract';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { KeyRound, Plus, Trash2 } from 'lucide-react';
import { useState } from 'react';
import { call } from '../../../lib/api/call.ts';
import { roleNames } from '../../../lib/session/role-labels.ts';
import { useRefusal } from '../../../lib/session/use-refusal.ts';
import { nameText } from '../../../lib/format/name-text.ts';
import { Badge } from '../../../ui/badge/badge.tsx';
import { ButtonWithReason } from '../../../ui/button/button-with-reason.tsx';
import { IconButton } from '../../../ui/button/icon-button.tsx';
import { linkStyle } from '../../../ui/button/link-style.ts';
import { AlertDialog } from '../../../ui/dialog/alert-dialog.tsx';
import { EmptyState } from '../../../ui/feedback/empty-state.tsx';
import { Card } from '../../../ui/layout/card.tsx';
import { PlainTable, type PlainColumn } from '../../../ui/table/plain-table.tsx';
import { Time } from '../../../ui/text/time.tsx';
import { attempt } from '../../../ui/feedback/attempt.ts';
import { tokensQuery } from '../queries.ts';

/** The user's API tokens in this organization. */
export function TokensPage() {
  const query = useQuery(tokensQuery);
  const refusal = useRefusal(tokens.create.access);
  const [creating, setCreating] = useState(false);
  return (
    <Card
      title="API tokens"
      actions={
        <ButtonWithReason
          variant="primary"
          icon={<Plus aria-hidden size={16} />}
          disabledReason={refusal}
          onClick={() => setCreating(true)}
        >
          New token
        </ButtonWithReason>
      }
    >
      <p className="border-b px-4 py-3 text-muted">
        Scripts use a token to call the API on your behalf, with at most your role. See the{' '}
        <a href="/api/docs" target="_blank" rel="noopener noreferrer" className={linkStyle}>
          API documentation
        </a>
        .
      </p>
      <PlainTable
        label="Your API tokens"
        columns={tokensColumns}
        query={query}
        rowId={(token) => token._id}
        skeletonRows={2}
        failure="Failed to load your API tokens."
        empty={
          <EmptyState
            icon={<KeyRound aria-hidden size={20} />}
            title="No API tokens yet."
            description={refusal ?? 'Create a token for a script that uploads reports or reads your data.'}
          />
        }
      />
      {creating && <TokenDialog onClose={() => setCreating(false)} />}{' '}
    </Card>
  );
}

/** Columns of the API tokens. */
const tokensColumns: readonly PlainColumn<ApiToken>[] = [
  {
    label: 'Name',
    rowHeader: true,
    cell: (token) => (
      <div className="flex min-w-0 flex-col">
        <span className="truncate font-medium">{token.name}</span>
        <span className="text-sm text-muted">
          <span className="sr-only">ends in </span>
          <code className="font-mono">…{token.hint}</code>
        </span>
      </div>
    ),
  },
  {
    label: 'Role',
    from: 'sm',
    cell: (token) => roleNames[token.role],
  },
  {
    label: 'Last used',
    from: 'sm',
    cell: (token) =>
      token.lastUsedAt === null ? (
        <span className="text-muted">Never</span>
      ) : (
        <Time value={token.lastUsedAt} />
      ),
  },
  {
    label: 'Expires',
    cell: (token) =>
      token.expired ? <Badge tone="warning">Expired</Badge> : <Time value={token.expiresAt} />,
  },
  {
    label: 'Created',
    from: 'md',
    cell: (token) => <Time value={token.createdAt} />,
  },
  {
    label: 'Actions',
    hideLabel: true,
    last: true,
    align: 'right',
    width: 60,
    cell: (token) => <RevokeToken token={token} />,
  },
];

/** Revokes an API token after a confirmation. */
function RevokeToken({ token }: { token: ApiToken }) {
  const queryClient = useQueryClient();
  const [asking, setAsking] = useState(false);

  async function revoke(): Promise<void> {
    await attempt(() => call(tokens.revoke, { params: { id: token._id } }), {
      done: `${nameText(token.name)} revoked`,
      failure: 'Failed to revoke the token',
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
        title={`Revoke ${nameText(token.name)}?`}
        description="Scripts that use this token lose access immediately. This cannot be undone."
        confirmLabel="Revoke"
        danger
        onConfirm={revoke}
      />
    </>
  );
}
