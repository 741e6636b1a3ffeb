import { useQuery } from '@tanstack/react-query';
import { Dialog } from '../../../ui/dialog/dialog.tsx';
import { ErrorState } from '../../../ui/feedback/error-state.tsx';
import { Skeleton } from '../../../ui/feedback/skeleton.tsx';
import { Time } from '../../../ui/text/time.tsx';
import { explanationQuery, type Explanation } from '../queries.ts';
import { ExplanationBands } from './explanation-bands.tsx';
import { ExplanationInputs } from './explanation-inputs.tsx';
import { metricTitles, unitOf, valueText } from './metric-values.ts';
import { Recount } from './recount.tsx';

const headingStyle = 'mb-1.5 text-sm font-semibold';

interface ExplanationDialogProps {
  metric: Explanation['metric'];
  onClose: () => void;
}

/** How a number of the overview is calculated, with links to the records that it counts. */
export function ExplanationDialog({ metric, onClose }: ExplanationDialogProps) {
  return (
    <Dialog
      open
      onOpenChange={(open) => !open && onClose()}
      title={metricTitles[metric]}
      description="How this number is calculated"
      width={600}
    >
      <Content metric={metric} />
    </Dialog>
  );
}

function Content({ metric }: { metric: Explanation['metric'] }) {
  const { data, error, isFetching, refetch } = useQuery(explanationQuery(metric));
  if (data === undefined && error !== null) {
    return (
      <ErrorState
        title="Failed to load the explanation."
        error={error}
        busy={isFetching}
        onRetry={() => void refetch()}
      />
    );
  }
  if (data === undefined) return <Skeleton />;
  const { value, formula, inputs, bands, asOf } = data;
  return (
    <div className="flex flex-col gap-5">
      <section aria-label="Value">
        <p className="flex flex-wrap items-baseline gap-x-2">
          <span className="text-2xl font-semibold tracking-tight tabular-nums">
            {valueText(metric, value)}
          </span>
          {value !== null && <span className="text-sm text-muted">{unitOf(metric)}</span>}
        </p>
        <p className="mt-1 text-sm text-muted">{formula}</p>
      </section>
      {inputs.length > 0 && (
        <section aria-label="Inputs">
          <h3 className={headingStyle}>What it is calculated from</h3>
          <ExplanationInputs explanation={data} />
        </section>
      )}
      {bands.length > 0 && (
        <section aria-label="Bands">
          <h3 className={headingStyle}>What the number means</h3>
          <ExplanationBands bands={bands} />
        </section>
      )}
      <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2 border-t pt-4">
        <p className="text-xs text-muted">
          As of <Time value={asOf} form="absolute" />
        </p>
        <Recount />
      </div>
    </div>
  );
}
