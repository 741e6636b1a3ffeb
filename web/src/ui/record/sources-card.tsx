import { plural } from '@riskboard/domain';
import { useQuery } from '@tanstack/react-query';
import { useLocation } from '@tanstack/react-router';
import { Undo2 } from 'lucide-react';
import { useEffect, useState } from 'react';
import { fieldLabel } from '../../lib/entity/field-text.ts';
import { sourcesQuery } from '../../lib/entity/queries.ts';
import { useRefusal } from '../../lib/session/use-refusal.ts';
import { Button } from '../button/button.tsx';
import { ButtonWithReason } from '../button/button-with-reason.tsx';
import { AlertDialog } from '../dialog/alert-dialog.tsx';
import { ErrorState } from '../feedback/error-state.tsx';
import { Skeleton } from '../feedback/skeleton.tsx';
import { Card } from '../layout/card.tsx';
import { useImportableRecord } from './facts.tsx';
import { SourcePanel } from './source-panel.tsx';
import { changedFields, useRevert } from './use-revert.ts';

/** Where the marks of edited fields lead. */
const anchor = 'sources';

/** Sources that are shown at first. */
const firstShown = 10;

/**
 * Which reports contain an imported record, what they say, and which of its fields a user changed and may revert. The
 * sources that count first are shown.
 */
export function SourcesCard() {
  const { entity, record } = useImportableRecord();
  const query = useQuery(sourcesQuery(entity, record._id));
  const revert = useRevert(entity, record);
  const refusal = useRefusal(entity.calls.revert.access);
  const [confirming, setConfirming] = useState(false);
  const [all, setAll] = useState(false);
  const { data, error } = query;
  const sources = data?.sources ?? [];
  const shown = all ? sources : sources.slice(0, firstShown);
  const isTarget = useLocation({ select: ({ hash }) => hash === anchor });
  const isLoaded = data !== undefined;
  // The browser scrolled before the cards above had loaded.
  useEffect(() => {
    if (isTarget && isLoaded) document.querySelector(`#${anchor}`)?.scrollIntoView();
  }, [isTarget, isLoaded]);
  const changed = changedFields(record, sources);
  const labels = changed.map((name) => fieldLabel(entity.fields, name)).join(', ');

  return (
    <>
      <Card
        title="Sources"
        actions={
          changed.length > 0 && (
            <ButtonWithReason
              size="sm"
              icon={<Undo2 aria-hidden size={14} />}
              busy={revert.isPending}
              disabledReason={refusal}
              onClick={() => setConfirming(true)}
            >
              Revert all
            </ButtonWithReason>
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
              ? 'No longer in any report.'
              : `Found in ${plural(data.reportTotal, 'report')}. `}
            {data.total > sources.length && `The first ${shown.length} sources are shown. `}
            {changed.length > 0 && `Changed manually: ${labels}.`}
          </p>
        )}
        {shown.map((source) => (
          <SourcePanel
            key={`${source.fileId} ${source.location} ${source.stixId}`}
            source={source}
            busy={revert.isPending}
            refusal={refusal}
            onRevert={source.current && changed.length > 0 ? (name) => revert.mutate([name]) : undefined}
          />
        ))}
        {sources.length > firstShown && (
          <div className="px-2 py-1">
            <Button size="sm" variant="ghost" aria-expanded={all} onClick={() => setAll(!all)}>
              {all ? 'Show fewer' : 'Show more'}
            </Button>
          </div>
        )}
      </Card>
      <AlertDialog
        open={confirming}
        onOpenChange={setConfirming}
        title="Revert all changes?"
        description={`These fields will be reset to the values in the reports: ${labels}.`}
        confirmLabel="Revert"
        onConfirm={async () => {
          await revert.mutateAsync(undefined).catch(() => undefined);
        }}
      />
    </>
  );
}
