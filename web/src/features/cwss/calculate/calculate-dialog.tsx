import { mostAtOnce, vignettes, type VignetteSummary } from '@riskboard/contract';
import { formatCount } from '@riskboard/domain';
import { keepPreviousData, queryOptions, useQuery } from '@tanstack/react-query';
import { useEffect, useId, useRef, useState } from 'react';
import { call } from '../../../lib/api/call.ts';
import { isMissingAt, messageOf } from '../../../lib/api/errors.ts';
import { useDebounced } from '../../../lib/hooks/use-debounced.ts';
import { useStore } from '../../../lib/browser/store.ts';
import { requestSelectedFocus } from '../../../lib/entity/request-row-focus.ts';
import { explanationQuery } from '../../../lib/cwss/explanation-query.ts';
import { calculationRequest, type CalculationRequest } from '../../../lib/cwss/calculation-request.ts';
import { Badge } from '../../../ui/badge/badge.tsx';
import { Button } from '../../../ui/button/button.tsx';
import { Dialog } from '../../../ui/dialog/dialog.tsx';
import { firstControl } from '../../../ui/dialog/first-control.ts';
import { ErrorState } from '../../../ui/feedback/error-state.tsx';
import { Skeleton } from '../../../ui/feedback/skeleton.tsx';
import { RadioList } from '../../../ui/input/radio-list.tsx';
import { Input } from '../../../ui/input/input.tsx';
import { NoVignettes } from './no-vignettes.tsx';
import { useCalculate } from '../../../lib/cwss/use-calculate.ts';
import { quoted } from '../../../lib/format/name-text.ts';

/** The 'Calculate CWSS' dialog of the whole app; mount once. */
export function CalculateHost() {
  const request = useStore(calculationRequest);
  // Another user may log in after this one.
  useEffect(() => () => calculationRequest.set(null), []);
  return (
    request !== null && <CalculateDialog request={request} onClose={() => calculationRequest.set(null)} />
  );
}

/** Vignettes that the dialog lists at once; a search finds the others. */
const mostListed = 100;

/** From this number on, the dialog has a search field. */
const searchFrom = 8;

const choicesQuery = (search: string) => {
  const query = { pageSize: mostListed, sort: 'name', ...(search !== '' && { search }) };
  return queryOptions({
    queryKey: ['vignettes', 'choices', query],
    queryFn: ({ signal }) => call(vignettes.list, { query, signal }),
    placeholderData: keepPreviousData,
  });
};

/** Scorecard, author and rated cells of a vignette in one line. */
function aboutVignette({ name, scorecardName, origin, version, ratedCells }: VignetteSummary): string {
  const parts = [
    scorecardName === name ? '' : scorecardName,
    origin === '' ? '' : `by ${origin}`,
    `version ${formatCount(version)}`,
    `${formatCount(ratedCells)} of 32 cells rated`,
  ];
  return parts.filter((part) => part !== '').join(' · ');
}

/** Names shown before the others are counted. */
const mostNames = 3;

function whatText(request: CalculationRequest): string {
  if ('record' in request) return `Choose the vignette that scores ${quoted(request.record.name)}.`;
  const { count, names } = request.selected;
  const shown = names.slice(0, mostNames).map(quoted);
  const others = count - shown.length;
  const listed = others === 0 ? shown : [...shown, `${formatCount(others)} more`];
  const much = count > mostAtOnce ? ' This many will be scored in the background.' : '';
  return `Choose the vignette that scores ${listed.join(', ')}.${much}`;
}

interface CalculateDialogProps {
  request: CalculationRequest;
  onClose: () => void;
}

/** 'Calculate CWSS' (spec 2): scores vulnerabilities with a chosen vignette. */
function CalculateDialog({ request, onClose }: CalculateDialogProps) {
  const id = useId();
  const [text, setText] = useState('');
  const search = useDebounced(text.trim());
  const [chosenId, setChosenId] = useState('');
  const query = useQuery(choicesQuery(search));
  const { data: all } = useQuery(choicesQuery(''));
  const { mutateAsync, isPending: busy } = useCalculate();
  const items = query.data?.items ?? [];
  const total = query.data?.total ?? 0;
  // A vignette that was deleted meanwhile, or that the search does not find, cannot be confirmed.
  const chosen = items.find((one) => one._id === chosenId);
  const [isDeleted, setIsDeleted] = useState(false);
  const content = useRef<HTMLDivElement>(null);
  const isLoading = query.data === undefined;
  // The dialog had no control to focus when it opened; a user may have moved the focus to a button since.
  useEffect(() => {
    if (isLoading) return;
    // The radio that Tab reaches is known after the first rendering of the list.
    const frame = requestAnimationFrame(() => {
      const dialog = content.current?.closest('[role=dialog]');
      const active = document.activeElement;
      if (active === dialog || !dialog?.contains(active)) firstControl(content.current)?.focus();
    });
    return () => cancelAnimationFrame(frame);
  }, [isLoading]);
  const record = 'record' in request ? request.record : undefined;
  // By id: the vignette may have another name since, and another vignette its former one.
  const { data: score } = useQuery({
    ...explanationQuery(record?._id ?? ''),
    enabled: record !== undefined && record.appliedVignette !== '',
  });

  async function confirm(): Promise<void> {
    if (chosen === undefined || busy) return;
    try {
      await mutateAsync({ request, vignetteId: chosen._id });
      if ('selected' in request) request.selected.clear();
      onClose();
      if ('selected' in request) requestSelectedFocus('vulnerabilities', request.selected.selection);
    } catch (error) {
      // The mutation has shown the error; the dialog stays open with what was chosen.
      if (record === undefined || !isMissingAt(error, 'id')) return;
      setIsDeleted(true);
      content.current?.closest<HTMLElement>('[role=dialog]')?.focus();
    }
  }

  if (record !== undefined && isDeleted) {
    return (
      <Dialog
        open
        onOpenChange={(next) => !next && onClose()}
        title="Calculate CWSS"
        description={`The vulnerability ${quoted(record.name)} no longer exists.`}
        width={640}
        footer={<Button onClick={onClose}>Close</Button>}
      />
    );
  }

  return (
    <Dialog
      open
      onOpenChange={(next) => !next && !busy && onClose()}
      title="Calculate CWSS"
      description={whatText(request)}
      width={640}
      footer={
        <>
          {chosen === undefined && items.length > 0 && (
            <p id={`${id}-why`} className="mr-auto basis-full self-center text-sm text-muted sm:basis-auto">
              Choose a vignette first.
            </p>
          )}
          <Button onClick={onClose} disabled={busy}>
            Cancel
          </Button>
          <Button
            variant="primary"
            busy={busy}
            disabled={chosen === undefined}
            aria-describedby={chosen === undefined && items.length > 0 ? `${id}-why` : undefined}
            onClick={() => void confirm()}
          >
            Confirm
          </Button>
        </>
      }
    >
      <div ref={content} className="flex flex-col gap-3">
        {(all?.total ?? 0) >= searchFrom && (
          <Input label="Search vignettes" value={text} onChange={setText} />
        )}
        {query.data === undefined && query.error === null && <Loading />}
        {query.data === undefined && query.error !== null && (
          <ErrorState
            title={`Error: ${messageOf(query.error, 'Failed to load vignettes.')}`}
            error={null}
            busy={query.isFetching}
            onRetry={() => void query.refetch()}
          />
        )}
        {query.data !== undefined && items.length === 0 && <NoVignettes search={search} onLeave={onClose} />}
        {items.length > 0 && (
          <RadioList
            label="Vignettes"
            items={items.map((one) => ({
              value: one._id,
              label: one.name,
              description: aboutVignette(one),
              ...(one._id === score?.vignetteId && { badge: <Badge tone="info">Applied now</Badge> }),
            }))}
            value={chosenId}
            onChange={setChosenId}
            onEnter={() => void confirm()}
          />
        )}
        {total > items.length && items.length > 0 && (
          <p className="text-sm text-muted">
            The first {formatCount(items.length)} of {formatCount(total)} vignettes. Search to find the
            others.
          </p>
        )}
      </div>
    </Dialog>
  );
}

const Loading = () => (
  <output aria-label="Loading vignettes" className="flex flex-col gap-4 py-2">
    <Skeleton width="45%" />
    <Skeleton width="60%" />
    <Skeleton width="50%" />
  </output>
);
