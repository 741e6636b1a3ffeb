import { tokens } from '@riskboard/contract';
import { useQuery } from '@tanstack/react-query';
import { KeyRound, Plus } from 'lucide-react';
import { lazy, Suspense, useState } from 'react';
import { useRefusal } from '../../lib/session/use-refusal.ts';
import { Button } from '../../ui/button/button.tsx';
import { Card } from '../../ui/layout/card.tsx';
import { EmptyState } from '../../ui/feedback/empty-state.tsx';
import { PlainTable } from '../../ui/table/plain-table.tsx';
import { linkStyle } from '../../ui/button/link-style.ts';
import { tokensQuery } from './queries.ts';
import { tokensColumns } from './tokens-columns.tsx';

// Comes with the first question.
const TokenDialog = lazy(async () => ({ default: (await import('./token-dialog.tsx')).TokenDialog }));

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
            description={refusal ?? 'Make one for a script that uploads reports or reads your data.'}
          />
        }
      />
      <Suspense>{making && <TokenDialog onClose={() => setMaking(false)} />}</Suspense>
    </Card>
  );
}
