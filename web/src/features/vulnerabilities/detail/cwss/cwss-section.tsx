import { cwss, type CwssExplanation, type VulnerabilityDetail } from '@riskboard/contract';
import type { CwssFactor } from '@riskboard/domain';
import { useQuery } from '@tanstack/react-query';
import { Link, useSearch } from '@tanstack/react-router';
import { Calculator, SlidersHorizontal } from 'lucide-react';
import { useState } from 'react';
import { calculationRequest } from '../../../../lib/cwss/calculation-request.ts';
import { useRefusal } from '../../../../lib/session/use-refusal.ts';
import { ButtonWithReason } from '../../../../ui/button/button-with-reason.tsx';
import { linkStyle } from '../../../../ui/button/link-style.ts';
import { ErrorState } from '../../../../ui/feedback/error-state.tsx';
import { Notice } from '../../../../ui/feedback/notice.tsx';
import { Card } from '../../../../ui/layout/card.tsx';
import { idlePart } from '../../../../ui/layout/idle-part.tsx';
import { useKeptFor, useRestoredDraft } from '../../../../ui/form/use-kept-draft.ts';
import { Compare } from './compare.tsx';
import { Completeness } from './completeness.tsx';
import type { EditorStart, FactorEditorProps } from './factor-editor.tsx';
import type { FactorDrafts } from './factor-drafts.ts';
import { factorLabel } from './factor-text.ts';
import { FactorTable } from './factor-table.tsx';
import { ScoreHistory } from './history.tsx';
import { Influence } from './influence.tsx';
import { explanationQuery } from '../../../../lib/cwss/explanation-query.ts';
import { ScoreSummary } from './score-summary.tsx';
import { StaleNotice } from './stale-notice.tsx';
import { TechnicalImpact } from './technical-impact.tsx';

const { Part: FactorEditor, useIdleLoad } = idlePart<FactorEditorProps>(
  async () => (await import('./factor-editor.tsx')).FactorEditor,
  null,
);

/** The CWSS score of a vulnerability with everything that explains it. */
export function CwssSection({ detail }: { detail: VulnerabilityDetail }) {
  const { version: given } = useSearch({ strict: false });
  // Other pages have a parameter of this name with another type.
  const version = typeof given === 'number' ? given : undefined;
  if (detail.cwssScore === null) return <NotCalculated detail={detail} />;
  return <Explained key={version} detail={detail} version={version} />;
}

function NotCalculated({ detail }: { detail: VulnerabilityDetail }) {
  const refusal = useRefusal(cwss.calculate.access);
  const overrides = detail.cwssOverrides;
  return (
    <Card title="CWSS">
      <div className="flex flex-wrap items-center justify-between gap-x-6 gap-y-3 p-4">
        <div className="min-w-0 grow basis-80 text-sm">
          <p>
            CWSS scores a weakness from 0 to 100; a vignette makes the score say how much the weakness matters
            in one business environment.
          </p>
          {overrides.length > 0 && (
            <p className="mt-1 text-muted">
              Factors set by analysts: {overrides.map((code) => factorLabel(code as CwssFactor)).join(', ')}.
            </p>
          )}
        </div>
        <ButtonWithReason
          icon={<Calculator aria-hidden size={14} />}
          disabledReason={refusal}
          onClick={() => calculationRequest.set({ record: detail })}
        >
          Calculate CWSS
        </ButtonWithReason>
      </div>
    </Card>
  );
}

interface ExplainedProps {
  detail: VulnerabilityDetail;
  /** An earlier version of the address; undefined: the newest. */
  version: number | undefined;
}

function Explained({ detail, version }: ExplainedProps) {
  const { data, error, refetch, isFetching } = useQuery(explanationQuery(detail._id, version));
  if (data === undefined && error !== null) {
    return (
      <Card title="CWSS">
        <ErrorState
          title="Failed to load the CWSS score."
          error={error}
          busy={isFetching}
          onRetry={() => void refetch()}
        />
      </Card>
    );
  }
  if (data === undefined) return <div aria-hidden className="h-96 rounded border bg-surface" />;
  if (data !== null) return <Explanation detail={detail} explanation={data} />;
  if (version === undefined) return <NotCalculated detail={detail} />;
  return (
    <Card title="CWSS">
      <p className="p-4">
        There is no version {version} of this score. <NewestLink />
      </p>
    </Card>
  );
}

const NewestLink = () => (
  <Link
    to="."
    search={(now: object) => ({ ...now, version: undefined })}
    resetScroll={false}
    className={linkStyle}
  >
    Show the newest score
  </Link>
);

interface ExplanationProps {
  detail: VulnerabilityDetail;
  explanation: CwssExplanation;
}

function Explanation({ detail, explanation }: ExplanationProps) {
  useIdleLoad();
  const roleRefusal = useRefusal(cwss.setFactors.access);
  const newest = explanation.history[0]?.version ?? explanation.version;
  const isNewest = explanation.version >= newest;
  const refusal = isNewest ? roleRefusal : 'An earlier score is read-only.';
  const [restored] = useRestoredDraft<FactorDrafts>(useKeptFor(), refusal === undefined);
  const [editing, setEditing] = useState<EditorStart | undefined>(restored && { restored: restored.values });
  const setFactor = (factor: CwssFactor) => setEditing({ factor });
  return (
    <div id="cwss" className="flex scroll-mt-18 flex-col gap-4">
      <Card
        title="CWSS"
        actions={
          isNewest && (
            <span className="flex gap-2 print:hidden">
              <ButtonWithReason
                size="sm"
                icon={<SlidersHorizontal aria-hidden size={14} />}
                disabledReason={refusal}
                onClick={() => setEditing({})}
              >
                Set factors
              </ButtonWithReason>
            </span>
          )
        }
      >
        {isNewest && explanation.stale && <StaleNotice detail={detail} explanation={explanation} />}
        {!isNewest && (
          <div className="border-b p-4">
            <Notice>
              Version {explanation.version} of {newest}, as it was calculated then. <NewestLink />
            </Notice>
          </div>
        )}
        <ScoreSummary explanation={explanation} />
        <Completeness explanation={explanation} detail={detail} refusal={refusal} onSet={setFactor} />
      </Card>
      <TechnicalImpact result={explanation} name={detail.name} />
      <Influence
        explanation={explanation}
        refusal={refusal}
        onSet={(factor, value) => setEditing({ factor, value })}
      />
      <FactorTable explanation={explanation} refusal={refusal} onSet={setFactor} />
      {isNewest && <Compare id={detail._id} explanation={explanation} />}
      <ScoreHistory explanation={explanation} />
      {editing !== undefined && (
        <FactorEditor
          id={detail._id}
          explanation={explanation}
          start={editing}
          onClose={() => setEditing(undefined)}
        />
      )}
    </div>
  );
}
