import { tokens } from '@riskboard/contract';
import { useQuery } from '@tanstack/react-query';
import { KeyRound, Plus } from 'lucide-react';
import { useState } from 'react';
import { useRefusal } from '../../lib/write-refusal.ts';
import { Button } from '../../ui/button.tsx';
import { Card } from '../../ui/card.tsx';
import { DataTable } from '../../ui/data-table.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { linkStyle } from '../../ui/link-style.ts';
import { tokensQuery } from './queries.ts';
import { TokenDialog } from './token-dialog.tsx';
import { tokensColumns } from './tokens-columns.tsx';

/** API tokens of the person in this organisation. */
export function TokensPage() {
  const query = useQuery(tokensQuery);
  const refusal = useRefusal(tokens.create.access);
  const [making, setMaking] = useState(false);
  return (
    <Card
      title="API tokens"
      actions={
        <Button
          variant="primary"
          icon={<Plus aria-hidden size={16} />}
          disabledReason={refusal}
          onClick={() => setMaking(true)}
        >
          New token
        </Button>
      }
    >
      <p className="border-b px-4 py-3 text-muted">
        Scripts call the API with a token in your name, with no more rights than you have here. See the{' '}
        <a href="/api/docs" target="_blank" rel="noopener noreferrer" className={linkStyle}>
          API documentation
        </a>
        .
      </p>
      <DataTable
        label="API tokens"
        columns={tokensColumns}
        rows={query.data}
        rowId={(token) => token._id}
        skeletonRows={2}
        failure={
          query.error !== null && query.data === undefined
            ? {
                title: 'Failed to load your API tokens.',
                error: query.error,
                onRetry: () => void query.refetch(),
              }
            : undefined
        }
        empty={
          <EmptyState
            icon={<KeyRound aria-hidden size={20} />}
            title="No API tokens yet."
            description="Make one for a script that uploads reports or reads your data."
          />
        }
      />
      {making && <TokenDialog onClose={() => setMaking(false)} />}
    </Card>
  );
}
