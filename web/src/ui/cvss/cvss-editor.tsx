import { Collapsible } from '@base-ui/react/collapsible';
import {
  cvssMetricGroups,
  cvssVersionIn,
  inCvssVersion,
  missingCvssMetrics,
  parseCvssVector,
  readCvssDraft,
  writeCvssDraft,
  type CvssDraft,
  type CvssMetricLabels,
  type CvssVersion,
} from '@riskboard/domain';
import { ChevronRight } from 'lucide-react';
import { useState, type ReactNode } from 'react';
import { Button } from '../button/button.tsx';
import { Input } from '../input/input.tsx';
import { Segmented } from '../input/segmented.tsx';
import { CvssLiveScore } from './cvss-live-score.tsx';
import { CvssMetric } from './cvss-metric.tsx';

const versions = [
  { value: '2.0', label: 'v2' },
  { value: '3.0', label: 'v3.0' },
  { value: '3.1', label: 'v3.1' },
  { value: '4.0', label: 'v4.0' },
] as const satisfies { value: CvssVersion; label: string }[];

interface CvssEditorProps {
  /** Id of the text field. */
  id?: string;
  /** The vector, possibly incomplete; '' for none. `parseCvssVector` checks whether it is complete. */
  value: string;
  onChange: (value: string) => void;
  onBlur?: () => void;
  /** Error message of the server or the form. */
  error?: string | undefined;
}

/** Values that omit a metric. */
const notDefined = new Set(['X', 'ND']);

/** Editor for a CVSS vector of any version, chosen metric by metric or pasted, with a live score. */
export function CvssEditor({ id, value, onChange, onBlur, error }: CvssEditorProps) {
  const [picked, setPicked] = useState<CvssVersion>('3.1');
  const draft = readCvssDraft(value, bareVersion(value, picked));
  const { version, values } = draft;
  const groups = cvssMetricGroups(version);
  const checked = parseCvssVector(value);
  const missing = missingCvssMetrics(draft).length;
  const mandatory = groups[0]?.metrics.length ?? 0;
  // A vector built by choosing can only be incomplete; any other problem was typed and is shown.
  const growing = value.trim() === writeCvssDraft(draft);
  const fault = checked.ok || growing ? undefined : checked.message;

  function choose(code: string, chosen: string) {
    const next = new Map(values);
    if (notDefined.has(chosen)) next.delete(code);
    else next.set(code, chosen);
    onChange(writeCvssDraft({ version, values: next }));
  }

  function switchTo(next: CvssVersion) {
    setPicked(next);
    onChange(writeCvssDraft(inCvssVersion(draft, next)));
  }

  const metrics = (all: readonly CvssMetricLabels[]) => (
    <div className="grid gap-x-6 gap-y-3 lg:grid-cols-2">
      {all.map((metric) => (
        <CvssMetric
          key={metric.code}
          metric={inOrderOf(metric)}
          value={shownValue(draft, metric)}
          onChange={(chosen) => choose(metric.code, chosen)}
        />
      ))}
    </div>
  );

  return (
    <div className="flex min-w-0 flex-col gap-4">
      <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2">
        <Segmented label="CVSS version" items={versions} value={version} onChange={switchTo} />
        <CvssLiveScore
          vector={checked.ok ? checked.vector : null}
          missing={fault === undefined ? stillToDo(missing, mandatory) : 'No score: the vector is invalid.'}
        />
      </div>
      <Input
        id={id}
        label="CVSS vector"
        value={value}
        onChange={onChange}
        onBlur={() => {
          if (checked.ok && checked.vector !== value) onChange(checked.vector);
          onBlur?.();
        }}
        placeholder={`${version === '2.0' ? '' : `CVSS:${version}/`}AV:N/AC:L/…`}
        error={fault ?? error}
        spellCheck={false}
        autoComplete="off"
        autoCapitalize="off"
        maxLength={500}
        aside={
          value !== '' && (
            <Button size="sm" variant="ghost" onClick={() => onChange('')}>
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

/** A text without a prefix is a v2 vector, unless it is empty or the prefix is still being typed. */
function bareVersion(text: string, picked: CvssVersion): CvssVersion {
  const begun = text.trim() === '' || /^\s*\(?C(?:V|$)/iu.test(text);
  return cvssVersionIn(text) ?? (begun ? picked : '2.0');
}

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
