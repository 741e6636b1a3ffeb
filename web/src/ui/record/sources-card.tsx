import { vulnerabilities } from '@riskboard/contract';
import { useQuery } from '@tanstack/react-query';
import { useLocation } from '@tanstack/react-router';
import { Undo2 } from 'lucide-react';
import { useEffect, useState } from 'react';
import { plural } from '../../lib/format/format.ts';
import { recordSourcesQuery, type RecordNoun } from '../../lib/record-queries.ts';
import { fieldLabel } from '../../lib/record-words.ts';
import { changedFields, useRevert, type AnyRecord } from './use-revert.ts';
import { useRefusal } from '../../lib/write-refusal.ts';
import { AlertDialog } from '../dialog/alert-dialog.tsx';
import { Button } from '../button/button.tsx';
import { Card } from '../layout/card.tsx';
import { ErrorState } from '../feedback/error-state.tsx';
import { Skeleton } from '../feedback/skeleton.tsx';
import { SourcePanel } from './source-panel.tsx';

/** Where marks of edited fields lead. */
const anchor = 'sources';

interface SourcesCardProps {
  noun: RecordNoun;
  record: AnyRecord;
}

/** Which reports speak of an imported record, what they say, and which of it a person changed and may take back. */
export function SourcesCard({ noun, record }: SourcesCardProps) {
  const query = useQuery(recordSourcesQuery(noun, record._id));
  const revert = useRevert(noun, record);
  const refusal = useRefusal(vulnerabilities.revert.access);
  const [asking, setAsking] = useState(false);
  const { data, error } = query;
  const sources = data?.sources ?? [];
  const wanted = useLocation({ select: ({ hash }) => hash === anchor });
  const here = data !== undefined;
  // Whoever was led here would stand elsewhere once all that is above has come.
  useEffect(() => {
    if (wanted && here) document.querySelector(`#${anchor}`)?.scrollIntoView();
  }, [wanted, here]);
  const files = new Set(sources.map(({ fileId }) => fileId)).size;
  const edited = changedFields(record, sources);
  const names = edited.map((field) => fieldLabel(noun, field)).join(', ');

  return (
    <>
      <Card
        title="Sources"
        actions={
          edited.length > 0 && (
            <Button
              size="sm"
              icon={<Undo2 aria-hidden size={14} />}
              busy={revert.isPending}
              disabledReason={refusal}
              onClick={() => setAsking(true)}
            >
              Take all back
            </Button>
          )
        }
      >
        {data === undefined && error !== null && (
          <ErrorState
            title="Failed to load sources."
            error={error}
            busy={query.isFetching}
            onRetry={() => void query.refetch()}
          />
        )}
        {data === undefined && error === null && (
          <div className="p-4">
            <Skeleton />
          </div>
        )}
        {data !== undefined && (
          <p className="border-b px-4 py-2 text-sm text-muted last:border-b-0">
            {sources.length === 0
              ? 'No report speaks of this any more.'
              : `${plural(files, 'report')} ${files === 1 ? 'says' : 'say'} this. `}
            {edited.length > 0 && `Changed by a person: ${names}.`}
          </p>
        )}
        {sources.map((source) => (
          <SourcePanel
            key={`${source.fileId} ${source.place}`}
            noun={noun}
            record={record}
            source={source}
            busy={revert.isPending}
            refusal={refusal}
            onTakeBack={source.current && edited.length > 0 ? (field) => revert.mutate([field]) : undefined}
          />
        ))}
      </Card>
      <AlertDialog
        open={asking}
        onOpenChange={setAsking}
        title="Take all changes back?"
        description={`These will be as the reports say: ${names}.`}
        confirmLabel="Take back"
        onConfirm={async () => {
          await revert.mutateAsync(undefined).catch(() => undefined);
        }}
      />
    </>
  );
}
