import { type AlertRule, alertRules } from '@riskboard/contract';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Inbox, Plus } from 'lucide-react';
import { useId, useRef, useState, type RefObject } from 'react';
import { call } from '../../../lib/api/call.ts';
import { useRefusal } from '../../../lib/session/use-refusal.ts';
import { Button } from '../../../ui/button/button.tsx';
import { ButtonWithReason } from '../../../ui/button/button-with-reason.tsx';
import { attempt } from '../../../ui/feedback/attempt.ts';
import { EmptyState } from '../../../ui/feedback/empty-state.tsx';
import { Card } from '../../../ui/layout/card.tsx';
import { PlainTable } from '../../../ui/table/plain-table.tsx';
import { rulesQuery } from '../queries.ts';
import { presets } from './presets.ts';
import { RuleDialog, useRuleDialog } from './rule-dialog.tsx';
import { kindDescriptions } from './rule-texts.ts';
import { ruleColumns } from './rule-columns.tsx';

/** The rules that create alerts. Viewers see them, analysts and owners change them. */
export function RulesPage() {
  const query = useQuery(rulesQuery);
  const refusal = useRefusal(alertRules.create.access);
  const [creating, setCreating] = useRuleDialog();
  const newRule = useRef<HTMLButtonElement>(null);
  return (
    <Card
      title="Alert rules"
      actions={
        <ButtonWithReason
          ref={newRule}
          variant="primary"
          icon={<Plus aria-hidden size={16} />}
          disabledReason={refusal}
          onClick={() => setCreating(true)}
        >
          New rule
        </ButtonWithReason>
      }
    >
      <p className="border-b px-4 py-3 text-muted">
        A rule creates alerts in the inbox of all members. It can also send emails and call webhooks. After
        ten alerts in ten minutes it waits until these are over, and reports what it found meanwhile in one
        alert.
      </p>
      <PlainTable
        label="Rules"
        columns={ruleColumns}
        query={query}
        rowId={(rule) => rule._id}
        failure="Failed to load the alert rules."
        empty={
          <EmptyState
            icon={<Inbox aria-hidden size={20} />}
            title="No alert rules yet."
            description={refusal ?? 'Add a suggested rule, or create your own.'}
          />
        }
      />
      {refusal === undefined && query.data !== undefined && <Suggestions rules={query.data} last={newRule} />}
      {creating && <RuleDialog onClose={() => setCreating(false)} />}
    </Card>
  );
}

type Preset = (typeof presets)[number];

/** A rule that watches the same, under any name and with any limit. */
const covers = (rule: AlertRule, preset: Preset): boolean =>
  rule.kind === preset.kind && (!('score' in preset) || rule.score === preset.score);

interface SuggestionsProps {
  rules: readonly AlertRule[];
  /** Takes the focus when no suggestion is left. */
  last: RefObject<HTMLElement | null>;
}

/** Rules to add with one click that the list does not have; they alert in the inbox until someone edits them. */
function Suggestions({ rules, last }: SuggestionsProps) {
  const id = useId();
  const list = useRef<HTMLUListElement>(null);
  const queryClient = useQueryClient();
  const [adding, setAdding] = useState<string>();

  /** Moves the focus from a button that will go to the next one. */
  function leaveButton(index: number): void {
    const buttons = list.current?.querySelectorAll('button') ?? [];
    if (buttons[index] === document.activeElement)
      (buttons[index + 1] ?? buttons[index - 1] ?? last.current)?.focus();
  }

  async function add(preset: Preset): Promise<void> {
    setAdding(preset.name);
    const added = await attempt(() => call(alertRules.create, { body: preset }), {
      done: `${preset.name} added`,
      failure: 'Failed to add the rule',
    });
    if (added) leaveButton(missing.indexOf(preset));
    await queryClient.invalidateQueries({ queryKey: rulesQuery.queryKey });
    setAdding(undefined);
  }

  const missing = presets.filter((preset) => !rules.some((rule) => covers(rule, preset)));
  if (missing.length === 0) return null;
  return (
    <section aria-labelledby={id} className="border-t">
      <h3 id={id} className="px-4 pt-3 pb-1 text-sm font-semibold">
        Suggested rules
      </h3>
      <ul ref={list} aria-labelledby={id} className="divide-y">
        {missing.map((preset) => (
          <li key={preset.name} className="flex items-center justify-between gap-4 px-4 py-2.5">
            <div className="min-w-0">
              <p className="text-base font-medium">{preset.name}</p>
              <p className="text-sm text-muted">{kindDescriptions[preset.kind]}</p>
            </div>
            <Button
              size="sm"
              aria-label={`Add ${preset.name}`}
              busy={adding === preset.name}
              disabled={adding !== undefined}
              onClick={() => void add(preset)}
            >
              Add
            </Button>
          </li>
        ))}
      </ul>
    </section>
  );
}
