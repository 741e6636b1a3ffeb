import { useQuery } from '@tanstack/react-query';
import { Dialog } from '../../../ui/dialog/dialog.tsx';
import { ErrorState } from '../../../ui/feedback/error-state.tsx';
import { Skeleton } from '../../../ui/feedback/skeleton.tsx';
import { CodeBlock } from '../../../ui/text/code-block.tsx';
import { Time } from '../../../ui/text/time.tsx';
import { deliveryQuery } from './delivery-queries.ts';
import { DeliveryState } from './delivery-state.tsx';
import { attemptText, deliveryTitle } from './delivery-texts.ts';

/** The attempts of a delivery and the message that is sent. */
export function DeliveryDialog({ id, onClose }: { id: string; onClose: () => void }) {
  const { data, error, refetch } = useQuery(deliveryQuery(id));
  return (
    <Dialog
      open
      onOpenChange={(open) => !open && onClose()}
      title={data === undefined ? 'Delivery' : deliveryTitle(data)}
      width={640}
    >
      {data === undefined && error === null && (
        <output aria-label="Loading">
          <Skeleton width="60%" />
        </output>
      )}
      {data === undefined && error !== null && (
        <ErrorState title="Failed to load the delivery." error={error} onRetry={() => void refetch()} />
      )}
      {data !== undefined && (
        <div className="flex flex-col gap-4">
          <div className="flex flex-wrap items-center gap-2 text-sm text-muted">
            <DeliveryState state={data.state} />
            <span>
              Created <Time value={data.createdAt} />
            </span>
            {data.nextAttemptAt !== null && (
              <span>
                Next attempt <Time value={data.nextAttemptAt} />
              </span>
            )}
          </div>
          {data.log.length > 0 && (
            <section aria-label="Attempts">
              <h3 className="mb-1 text-sm font-medium">Attempts</h3>
              <ol className="divide-y rounded border">
                {data.log.map((one, index) => (
                  // oxlint-disable-next-line react/no-array-index-key -- attempts are numbered and never reordered
                  <li key={index} className="flex flex-wrap justify-between gap-x-4 px-3 py-1.5 text-sm">
                    <span className="wrap-anywhere">{attemptText(one)}</span>
                    <span className="text-muted">
                      <Time value={one.at} />
                    </span>
                  </li>
                ))}
              </ol>
            </section>
          )}
          <CodeBlock label="webhook-id" text={data._id} copyLabel="Copy id" />
          <CodeBlock label="Message" text={data.payload} copyLabel="Copy message" />
        </div>
      )}
    </Dialog>
  );
}
