import { cwssVectorOf, defaultCwss, parseCwssVector, type CwssVector } from '@riskboard/domain';
import { useState } from 'react';
import { CopyButton } from '../../ui/button/copy-button.tsx';
import { CwssEditor } from '../../ui/cwss/cwss-editor.tsx';
import { CwssScoreCard } from '../../ui/cwss/cwss-score-card.tsx';
import { Input } from '../../ui/input/input.tsx';
import { Card } from '../../ui/layout/card.tsx';
import { PageHeader } from '../../ui/layout/page-header.tsx';

interface CalculatorPageProps {
  /** Vector of the address; the defaults without one. */
  vector: string | undefined;
  /** Called with the canonical vector after each change. */
  onVector: (vector: string) => void;
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
      />
      <div className="grid grid-cols-1 items-start gap-4 xl:grid-cols-[3fr_2fr]">
        <div className="flex flex-col gap-4">
          <Card title="Vector">
            <VectorInput
              key={vector ?? ''}
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
    </>
  );
}

interface VectorInputProps {
  start: string;
  problem: string | undefined;
  notes: readonly string[];
  onTake: (vector: CwssVector) => void;
}

/** Takes a vector or a link of another calculator when the field is left. */
function VectorInput({ start, problem, notes, onTake }: VectorInputProps) {
  const [text, setText] = useState(start);
  const [refused, setRefused] = useState(problem);
  function leave(): void {
    if (text.trim() === '' || text === start) return;
    const read = parseCwssVector(text);
    setRefused(read.ok ? undefined : read.message);
    if (read.ok) onTake(read);
  }
  return (
    <div className="flex flex-col gap-2 p-4">
      <Input
        label="Vector or link of a calculator"
        value={text}
        onChange={setText}
        onBlur={leave}
        onKeyDown={(event) => event.key === 'Enter' && leave()}
        error={refused}
        hint="Brackets and weights may be left out; the weights of the standard are used."
      />
      {notes.map((note) => (
        <p key={note} className="text-sm text-muted">
          {note}
        </p>
      ))}
    </div>
  );
}
