import { Collapsible } from '@base-ui/react/collapsible';
import {
  cvssMetricGroups,
  missingCvssMetrics,
  parseCvssVector,
  writeCvssDraft,
  type CvssDraft,
  type CvssMetricLabels,
  type CvssVersion,
} from '@riskboard/domain';
import { ChevronRight } from 'lucide-react';
import { useEffect, useRef, type ReactNode } from 'react';
import { Button } from '../button/button.tsx';
import { Notice } from '../feedback/notice.tsx';
import { Input } from '../input/input.tsx';
import { Segmented } from '../input/segmented.tsx';
import { CvssLiveScore } from './cvss-live-score.tsx';
import { CvssMetric } from './cvss-metric.tsx';
import { useCvssVersions, versionLabel, type CvssPending } from './use-cvss-versions.ts';

const versions = (['2.0', '3.0', '3.1', '4.0'] as const satisfies CvssVersion[]).map((value) => ({
  value,
  label: versionLabel(value),
}));

export interface CvssEditorProps {
  /** Id of the text field. */
  id?: string;
  /** The vector, possibly incomplete; '' for none. `parseCvssVector` checks whether it is complete. */
  value: string;
  onChange: (value: string) => void;
  onBlur?: () => void;
  /** Called when it changes what keeps the vector from being saved or left. */
  onPending?: ((pending: CvssPending) => void) | undefined;
  /** Called with the base score of a complete vector without unconfirmed metrics; else with undefined. */
  onScore?: ((score: number | undefined) => void) | undefined;
  /** Shown beside the score. */
  aside?: ReactNode;
  /** Error message of the server or the form. */
  error?: string | undefined;
}

/** Values that omit a metric. */
const notDefined = new Set(['X', 'ND']);

/**
 * Editor for a CVSS vector of any version, chosen metric by metric or pasted, with a live score. Each version keeps
 * what was entered in it.
 */
export function CvssEditor({
  id,
  value,
  onChange,
  onBlur,
  onPending,
  onScore,
  aside,
  error,
}: CvssEditorProps) {
  const editor = useCvssVersions(value, onChange);
  const { draft, carried, from, pending } = editor;
  const { version, values } = draft;
  const pasted = useRef(false);
  const groups = cvssMetricGroups(version);
  const checked = parseCvssVector(value);
  const missing = missingCvssMetrics(draft).length;
  const mandatory = groups[0]?.metrics.length ?? 0;
  // A vector built by choosing can only be incomplete; any other problem was typed and is shown.
  const growing = value.trim() === writeCvssDraft(draft);
  const fault = checked.ok || growing ? undefined : checked.message;

  const { blockedBy, isUnsaved } = pending;
  useEffect(() => onPending?.({ blockedBy, isUnsaved }), [onPending, blockedBy, isUnsaved]);

  function type(text: string) {
    editor.type(text, pasted.current);
    pasted.current = false;
  }

  const metrics = (all: readonly CvssMetricLabels[]) => (
    <div className="grid gap-x-6 gap-y-3 lg:grid-cols-2">
      {all.map((metric) => (
        <CvssMetric
          key={metric.code}
          metric={inOrderOf(metric)}
          value={shownValue(draft, metric)}
          carriedFrom={carried.has(metric.code) && from !== undefined ? versionLabel(from) : undefined}
          onChange={(chosen) => editor.choose(metric.code, notDefined.has(chosen) ? undefined : chosen)}
        />
      ))}
    </div>
  );

  return (
    <div className="flex min-w-0 flex-col gap-4">
      <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2">
        <Segmented label="CVSS version" items={versions} value={version} onChange={editor.switchTo} />
        <div className="flex min-w-0 flex-wrap items-center gap-x-4 gap-y-2">
          <CvssLiveScore
            vector={checked.ok ? checked.vector : null}
            missing={fault === undefined ? stillToDo(missing, mandatory) : 'No score: the vector is invalid.'}
            onScore={carried.size === 0 ? onScore : undefined}
          />
          {checked.ok && carried.size === 0 && aside}
        </div>
      </div>
      {carried.size > 0 && from !== undefined && (
        <Notice>
          <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2">
            <output>
              {carriedText(carried.size, from)} Check {carried.size === 1 ? 'it' : 'them'} before you save.
            </output>
            <Button size="sm" onClick={editor.confirm}>
              Confirm carried metrics
            </Button>
          </div>
        </Notice>
      )}
      <Input
        id={id}
        label="CVSS vector"
        value={value}
        onChange={type}
        onPaste={() => {
          pasted.current = true;
        }}
        onBlur={() => {
          if (checked.ok && checked.vector !== value) editor.type(checked.vector, false);
          onBlur?.();
        }}
        placeholder={`${version === '2.0' ? '' : `CVSS:${version}/`}AV:N/AC:L/…`}
        error={fault ?? error}
        spellCheck={false}
        autoComplete="off"
        autoCapitalize="off"
        maxLength={500}
        aside={
          editor.canClear && (
            <Button size="sm" variant="ghost" onClick={editor.clear}>
              Clear
            </Button>
          )
        }
      />
      {groups.map(({ group, label, metrics: all }) =>
        group === 'base' ? (
          <fieldset key={group} className="min-w-0">
            <legend className="sr-only">{label} metrics</legend>
            {metrics(all)}
          </fieldset>
        ) : (
          <CvssOptionalGroup
            key={`${version} ${group}`}
            label={label}
            stated={all.filter(({ code }) => !notDefined.has(values.get(code) ?? 'X')).length}
          >
            {metrics(all)}
          </CvssOptionalGroup>
        ),
      )}
    </div>
  );
}

const stillToDo = (missing: number, mandatory: number): string =>
  missing === mandatory
    ? 'Choose the base metrics, or paste a vector.'
    : `${missing} of ${mandatory} base metrics left.`;

/** '5 metrics carried over from v3.1.' */
const carriedText = (count: number, from: CvssVersion): string =>
  `${count} ${count === 1 ? 'metric' : 'metrics'} carried over from ${versionLabel(from)}.`;

/** An omitted metric counts as not defined. */
function shownValue({ values }: CvssDraft, { code, group, values: all }: CvssMetricLabels): string {
  const absent = group === 'base' ? '' : (all.find((one) => notDefined.has(one.code))?.code ?? '');
  return values.get(code) ?? absent;
}

/** Values as the specifications list them, most severe first; "not defined" before all. */
function inOrderOf(metric: CvssMetricLabels): CvssMetricLabels {
  const silent = metric.values.filter(({ weight }) => weight === null);
  const scored = metric.values.filter(({ weight }) => weight !== null);
  return { ...metric, values: [...silent, ...scored.toReversed()] };
}

interface CvssOptionalGroupProps {
  label: string;
  /** Number of metrics that are set. */
  stated: number;
  children: ReactNode;
}

/** Optional metrics: collapsed until the user opens them, or expanded when the vector contains some. */
function CvssOptionalGroup({ label, stated, children }: CvssOptionalGroupProps) {
  return (
    <Collapsible.Root defaultOpen={stated > 0} className="border-t pt-2">
      <Collapsible.Trigger className="group flex min-h-8 items-center gap-2 rounded text-sm font-medium">
        <ChevronRight
          aria-hidden
          size={14}
          className="text-muted transition-transform group-data-panel-open:rotate-90"
        />
        {label} metrics{' '}
        <span className="font-normal text-muted tabular-nums">
          {stated === 0 ? 'optional' : `${stated} stated`}
        </span>
      </Collapsible.Trigger>
      <Collapsible.Panel className="pt-2">{children}</Collapsible.Panel>
    </Collapsible.Root>
  );
}
