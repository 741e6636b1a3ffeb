import { cwssVectorOf, defaultCwss, parseCwssVector, scoreCwss, type CwssVector } from '@riskboard/domain';
import { RotateCcw } from 'lucide-react';
import { useState, type ClipboardEvent } from 'react';
import { Button } from '../../ui/button/button.tsx';
import { CopyButton } from '../../ui/button/copy-button.tsx';
import { CwssEditor } from '../../ui/cwss/cwss-editor.tsx';
import { CwssScoreCard } from '../../ui/cwss/cwss-score-card.tsx';
import { Notice } from '../../ui/feedback/notice.tsx';
import { Input } from '../../ui/input/input.tsx';
import { Card } from '../../ui/layout/card.tsx';
import { PageHeader } from '../../ui/layout/page-header.tsx';

interface CalculatorPageProps {
  /** Vector of the address; the defaults without one. */
  vector: string | undefined;
  /** Called with the canonical vector after each change; undefined: the factors were reset. */
  onVector: (vector: string | undefined) => void;
  /** Address that opens the page with a vector. */
  linkOf: (vector: string) => string;
}

/** Scores the 16 factors of CWSS 1.0.1; the address holds them. */
export function CalculatorPage({ vector, onVector, linkOf }: CalculatorPageProps) {
  const [taken, setTaken] = useState<CwssVector>();
  const read = vector === undefined ? undefined : parseCwssVector(vector);
  const choices = read?.ok === true ? read.choices : defaultCwss;
  const shown = cwssVectorOf(choices);
  /** A vector that was pasted is written canonically; what was ignored in it stays visible. */
  const notes = taken?.vector === vector ? taken?.warnings : read?.ok === true ? read.warnings : [];
  function take(next: CwssVector): void {
    setTaken(next);
    onVector(next.vector);
  }
  return (
    <>
      <PageHeader
        title="CWSS calculator"
        description="Scores a weakness from 0 to 100 by the 16 factors of CWSS 1.0.1."
        actions={
          <Button
            icon={<RotateCcw aria-hidden size={14} />}
            disabled={vector === undefined}
            onClick={() => onVector(undefined)}
          >
            Reset
          </Button>
        }
      />
      {/* The card with the score is below the factors there. */}
      <p
        aria-hidden
        className="sticky top-14 z-10 mb-4 flex items-baseline gap-1 rounded border bg-raised px-4 py-2 tabular-nums xl:hidden"
      >
        <span className="text-lg font-semibold">{scoreCwss(choices).score.toFixed(1)}</span>
        <span className="text-muted">of 100</span>
      </p>
      <div className="grid grid-cols-1 items-start gap-4 xl:grid-cols-[3fr_2fr]">
        <div className="flex flex-col gap-4">
          <Card title="Vector">
            <VectorInput
              start={vector ?? ''}
              problem={read?.ok === false ? read.message : undefined}
              notes={notes ?? []}
              onTake={take}
            />
          </Card>
          <CwssEditor choices={choices} onChange={(next) => onVector(cwssVectorOf(next))} />
        </div>
        <div className="xl:sticky xl:top-4">
          <CwssScoreCard
            choices={choices}
            actions={<CopyButton size="sm" text={linkOf(shown)} label="Copy link" />}
          />
        </div>
      </div>
      <p className="mt-4 text-sm text-muted">
        CWSS is a trademark of The MITRE Corporation, which does not endorse Riskboard. Factors, values and
        weights are those of CWSS 1.0.1.
      </p>
    </>
  );
}

interface VectorInputProps {
  start: string;
  problem: string | undefined;
  notes: readonly string[];
  onTake: (vector: CwssVector) => void;
}

/** Takes a vector or a link of another calculator when it is pasted, on Enter, and when the field is left. */
function VectorInput({ start, problem, notes, onTake }: VectorInputProps) {
  const [text, setText] = useState(start);
  const [refused, setRefused] = useState(problem);
  const [seen, setSeen] = useState(start);
  // The factors were changed, or the address.
  if (start !== seen) {
    setSeen(start);
    setText(start);
    setRefused(problem);
  }

  function leave(): void {
    if (text.trim() === '' || text === start) return;
    const read = parseCwssVector(text);
    setRefused(read.ok ? undefined : read.message);
    if (!read.ok) return;
    setText(read.vector);
    onTake(read);
  }

  /** A whole vector replaces what is in the field; other text is inserted as usual. */
  function paste(event: ClipboardEvent): void {
    const read = parseCwssVector(event.clipboardData.getData('text'));
    if (!read.ok) return;
    event.preventDefault();
    setText(read.vector);
    setRefused(undefined);
    onTake(read);
  }

  return (
    <div className="flex flex-col gap-2 p-4">
      <Input
        label="Vector or link of a calculator"
        placeholder="(TI:H,0.9/AP:A,1.0/…"
        spellCheck={false}
        value={text}
        onChange={setText}
        onPaste={paste}
        onBlur={leave}
        onKeyDown={(event) => event.key === 'Enter' && leave()}
        error={refused}
        hint="Brackets and weights may be left out; the weights of the standard are used."
      />
      {notes.length > 0 && (
        <Notice tone="warning">
          <ul>
            {notes.map((note) => (
              <li key={note}>{note}</li>
            ))}
          </ul>
        </Notice>
      )}
    </div>
  );
}
