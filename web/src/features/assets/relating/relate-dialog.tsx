import type { Suggestion } from '@riskboard/contract';
import { formatCount } from '@riskboard/domain';
import { useState, type ReactNode } from 'react';
import { ApiError } from '../../../lib/api/errors.ts';
import { withNames } from '../../../lib/entity/with-names.ts';
import { useDebounced } from '../../../lib/hooks/use-debounced.ts';
import { Button } from '../../../ui/button/button.tsx';
import { Dialog } from '../../../ui/dialog/dialog.tsx';
import { Checkbox } from '../../../ui/input/checkbox.tsx';
import { FormError } from '../../../ui/input/form-error.tsx';
import { inputStyle } from '../../../ui/input/input-style.ts';
import { type OfferedRecord, useRecordSearch } from './record-search.ts';
import { countedText, relatedLabels, type RelatedNoun } from './relations.ts';
import { RecordBadge } from '../../../ui/record/suggestions/record-badge.tsx';

/** At most this many records are related at once (contract, RelatedIds). */
const mostChosen = 1000;

interface OptionProps {
  noun: RelatedNoun;
  record: OfferedRecord;
  /** Below the name. */
  about?: ReactNode;
  isRelated?: boolean;
  isChosen: boolean;
  onChange: (chosen: boolean) => void;
}

function Option({ noun, record, about, isRelated = false, isChosen, onChange }: OptionProps) {
  const { name, subtitle, score } = record;
  return (
    <li className="px-3 py-2 wrap-anywhere">
      <div className="flex flex-wrap items-center justify-between gap-x-3 gap-y-1">
        <Checkbox label={name} checked={isRelated || isChosen} disabled={isRelated} onChange={onChange} />
        <span className="flex items-center gap-2 pl-6 text-sm text-muted">
          {subtitle !== name && <span>{subtitle}</span>}
          {isRelated ? <span>Related</span> : <RecordBadge noun={noun} score={score} />}
        </span>
      </div>
      {about}
    </li>
  );
}

/** The messages of a refusal about the chosen records, with their names. */
function problemsWith(chosen: ReadonlyMap<string, string>, error: unknown): string[] {
  const records = [...chosen].map(([_id, name]) => ({ _id, name }));
  return error instanceof ApiError ? error.details.map(({ message }) => withNames(message, records)) : [];
}

interface RelateDialogProps {
  noun: RelatedNoun;
  /** To what they are related: a name, or a count of assets. */
  target: string;
  /** Absent: several assets, of which each has other relations. */
  assetId?: string;
  suggestions: readonly Suggestion[];
  /** Resolves when the dialog can close. */
  onRelate: (ids: string[]) => Promise<unknown>;
  onClose: () => void;
}

/** Chooses threats or vulnerabilities to relate, by search on the server and from the suggestions. */
export function RelateDialog({ noun, target, assetId, suggestions, onRelate, onClose }: RelateDialogProps) {
  const [text, setText] = useState('');
  /** Names by id. */
  const [chosen, setChosen] = useState<ReadonlyMap<string, string>>(new Map());
  const [busy, setBusy] = useState(false);
  const [refusal, setRefusal] = useState<readonly string[]>([]);
  const search = useDebounced(text).trim();
  const { data, error, isPending } = useRecordSearch(noun, search, assetId);
  const { many, title } = relatedLabels[noun];
  const suggested = search === '' ? suggestions : [];
  const suggestedIds = new Set(suggested.map(({ _id }) => _id));
  const records = (data?.records ?? []).filter(({ _id }) => !suggestedIds.has(_id));
  const more = (data?.total ?? 0) - (data?.records.length ?? 0);

  function change(next: ReadonlyMap<string, string>): void {
    setChosen(next);
    setRefusal([]);
  }

  function choose({ _id, name }: OfferedRecord, isChosen: boolean): void {
    const others = [...chosen].filter(([id]) => id !== _id);
    change(new Map(isChosen ? [...others, [_id, name]] : others));
  }

  async function relate(): Promise<void> {
    setBusy(true);
    try {
      await onRelate([...chosen.keys()]);
      onClose();
    } catch (caught) {
      // The mutation has shown the error; the dialog stays open with what was chosen.
      setRefusal(problemsWith(chosen, caught));
      setBusy(false);
    }
  }

  return (
    <Dialog
      open
      onOpenChange={(next) => !next && !busy && onClose()}
      title={`Relate ${many}`}
      description={`They will be related to ${target}.`}
      width={640}
      footer={
        <>
          <Button onClick={onClose} disabled={busy}>
            Cancel
          </Button>
          <Button
            variant="primary"
            busy={busy}
            disabled={chosen.size === 0 || chosen.size > mostChosen}
            onClick={() => void relate()}
          >
            Relate {chosen.size === 0 ? many : countedText(noun, chosen.size)}
          </Button>
        </>
      }
    >
      <div className="flex flex-col gap-3 pt-1">
        <FormError message={refusal.length === 0 ? null : refusal.join(' ')} />
        <input
          type="search"
          aria-label={`Search ${many}`}
          placeholder={`Search ${many} by name or ID`}
          value={text}
          onChange={(event) => setText(event.target.value)}
          className={inputStyle}
        />
        {suggested.length > 0 && (
          <section aria-label="Suggested" className="flex flex-col gap-1">
            <header className="flex items-center justify-between gap-3">
              <h3 className="text-sm font-medium text-muted">Suggested</h3>
              <Button
                size="sm"
                onClick={() =>
                  change(new Map([...chosen, ...suggested.map((one) => [one._id, one.name] as const)]))
                }
              >
                Select all {formatCount(suggested.length)}
              </Button>
            </header>
            <ul className="divide-y rounded border">
              {suggested.map((one) => (
                <Option
                  key={one._id}
                  noun={noun}
                  record={one}
                  about={one.reasons.map(({ kind, text: reason }) => (
                    <p key={kind} className="pl-6 text-sm text-muted">
                      {reason}
                    </p>
                  ))}
                  isChosen={chosen.has(one._id)}
                  onChange={(isChosen) => choose(one, isChosen)}
                />
              ))}
            </ul>
          </section>
        )}
        <section aria-label={title} className="flex flex-col gap-1">
          <h3 className="text-sm font-medium text-muted">{search === '' ? `All ${many}` : title}</h3>
          <output className="block text-sm text-muted empty:hidden">
            {error !== null && `Failed to load ${many}.`}
            {isPending && 'Searching…'}
            {data?.records.length === 0 &&
              (search === '' ? `No ${many} found.` : `No match for “${search}”.`)}
          </output>
          {records.length > 0 && (
            <ul className="divide-y rounded border">
              {records.map((one) => (
                <Option
                  key={one._id}
                  noun={noun}
                  record={one}
                  isRelated={data?.related.has(one._id) === true}
                  isChosen={chosen.has(one._id)}
                  onChange={(isChosen) => choose(one, isChosen)}
                />
              ))}
            </ul>
          )}
          {more > 0 && (
            <p className="text-sm text-muted">{formatCount(more)} more. Type to narrow the list.</p>
          )}
        </section>
      </div>
    </Dialog>
  );
}
