import { explainCvss, parseCvssVector, type CvssExplainedGroup } from '@riskboard/domain';
import { CopyButton } from '../button/copy-button.tsx';
import { Notice } from '../feedback/notice.tsx';
import { CvssWeight } from './cvss-weight.tsx';

interface CvssExplainedProps {
  /** A vector of any version; '' renders nothing. */
  vector: string;
}

/** Explains a CVSS vector metric by metric. */
export function CvssExplained({ vector: text }: CvssExplainedProps) {
  if (text.trim() === '') return null;
  const vector = parseCvssVector(text);
  return (
    <div className="flex flex-col gap-4">
      <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
        {vector.ok && <span className="text-sm font-medium">CVSS {vector.version}</span>}
        <code className="min-w-0 font-mono text-sm break-all">{text}</code>
        <CopyButton text={text} label="Copy CVSS vector" size="sm" variant="ghost" />
      </div>
      {vector.ok ? (
        <>
          {explainCvss(vector).map((group) => (
            <Group key={group.group} group={group} />
          ))}
          <p className="text-xs text-muted">Bars show how much each value raises the score.</p>
        </>
      ) : (
        <Notice tone="warning">{vector.message}</Notice>
      )}
    </div>
  );
}

/** Codes of 'not defined' in v2 and in later versions. */
const silent: ReadonlySet<string> = new Set(['ND', 'X']);

function Group({ group: { label, metrics } }: { group: CvssExplainedGroup }) {
  const said = metrics.filter(({ value }) => !silent.has(value.code));
  const unsaid = metrics.filter(({ value }) => silent.has(value.code)).map(({ name }) => name);
  return (
    <section aria-label={`${label} metrics`}>
      <h3 className="mb-1 text-xs font-medium text-muted">{label} metrics</h3>
      <dl className="grid gap-x-6 border-t sm:grid-cols-2">
        {said.map(({ code, name, value }) => (
          <div key={code} className="flex flex-col border-b py-2">
            <dt className="flex items-baseline justify-between gap-2 text-xs text-muted">
              {name}
              <code className="font-mono">
                {code}:{value.code}
              </code>
            </dt>
            <dd className="flex flex-col">
              <span className="flex items-center gap-2 font-medium">
                {value.name}
                <CvssWeight weight={value.weight} />
              </span>
              <span className="text-sm text-muted">{value.means}</span>
            </dd>
          </div>
        ))}
      </dl>
      {unsaid.length > 0 && <p className="pt-2 text-sm text-muted">Not defined: {unsaid.join(', ')}.</p>}
    </section>
  );
}
