import { entities, importKeys, imports, type CsvImport } from '@riskboard/contract';
import { plural } from '@riskboard/domain';
import { useId } from 'react';
import { formatList } from '../../../lib/format/format.ts';
import { useRefusal } from '../../../lib/session/use-refusal.ts';
import { ButtonWithReason } from '../../../ui/button/button-with-reason.tsx';
import { Button } from '../../../ui/button/button.tsx';
import { Notice } from '../../../ui/feedback/notice.tsx';
import { ProjectPicker } from '../../../ui/form/controls/project-picker.tsx';
import { useProjectName } from '../../../ui/form/controls/use-project-name.ts';
import { Field } from '../../../ui/input/field.tsx';
import { RadioList } from '../../../ui/input/radio-list.tsx';
import { ActionBar } from '../../../ui/layout/action-bar.tsx';
import { Card } from '../../../ui/layout/card.tsx';
import type { ImportSearch, OnImportSearch } from '../import-search.ts';
import { useImportActions } from '../run/use-import-actions.ts';
import { ColumnsTable } from './columns-table.tsx';
import {
  choicesOf,
  fieldLabel,
  missingFields,
  planOf,
  refusalOf,
  searchOf,
  type Choices,
  withField,
} from './plan.ts';
import { Preview } from './preview.tsx';

interface ColumnsStepProps {
  csv: CsvImport;
  search: ImportSearch;
  onSearch: OnImportSearch;
}

/** Second step: the field of each column, what finds existing records, and a preview that follows both. */
export function ColumnsStep({ csv, search, onSearch }: ColumnsStepProps) {
  const role = useRefusal(imports.check.access);
  const choices = choicesOf(csv, search);
  const { fields } = choices;
  const missing = missingFields(csv.noun, choices);
  const refusal = refusalOf(csv.noun, choices);
  const plan = planOf(csv, choices);
  const { check, busy } = useImportActions(csv);

  const change = (next: Partial<Choices>) =>
    onSearch(
      {
        import: csv._id,
        ...searchOf(csv, { ...choices, ...next }),
        ...(csv.state === 'checked' && { step: 'columns' }),
      },
      { replace: true },
    );

  return (
    <div className="flex flex-col gap-4">
      {csv.state === 'failed' && csv.error !== null && (
        <div role="alert">
          <Notice tone="warning">The last run failed, and nothing was written: {csv.error}</Notice>
        </div>
      )}
      {role !== undefined && <Notice>{role}</Notice>}
      <div className="grid items-start gap-4 xl:grid-cols-[minmax(0,1fr)_360px]">
        <Card
          title={
            <>
              Columns
              <span className="text-sm font-normal text-muted tabular-nums">
                {fields.filter((field) => field !== null).length} of {fields.length} imported
              </span>
            </>
          }
          label="Columns"
        >
          <ColumnsTable
            csv={csv}
            choices={choices}
            refusal={role}
            onField={(position, field) =>
              change(withField(csv, choices, { position, field, isKeyChosen: search.key !== undefined }))
            }
          />
        </Card>
        <Matching csv={csv} choices={choices} isLocked={role !== undefined} onChange={change} />
      </div>
      {missing.length > 0 && (
        <Notice tone="warning">
          No column is imported as {formatList(missing)}. Rows that update {entities[csv.noun].many} are not
          affected; rows that would create one fail.
        </Notice>
      )}
      <Preview csv={csv} plan={plan} refusal={role ?? refusal} />
      <Footer
        label={`Check ${plural(csv.rows, 'row')}`}
        refusal={role ?? refusal}
        busy={busy}
        onCheck={() => void check(plan)}
        onBack={csv.state === 'checked' ? () => onSearch({ import: csv._id }) : undefined}
      />
    </div>
  );
}

interface MatchingProps {
  csv: CsvImport;
  choices: Choices;
  isLocked: boolean;
  onChange: (change: Partial<Choices>) => void;
}

/** What finds an existing record, and the project of assets without one. */
function Matching({ csv: { noun }, choices, isLocked, onChange }: MatchingProps) {
  const { one, many } = entities[noun];
  const { fields, key, projectId } = choices;
  const projectName = useProjectName(projectId);
  const items = importKeys[noun].map((field) => ({
    value: field as string,
    label: fieldLabel(noun, field),
    description:
      noun === 'assets' && field === 'name'
        ? 'The name within its project'
        : `The ${fieldLabel(noun, field)} of the ${one}`,
    disabledReason: disabledReasonOf(field),
  }));
  function disabledReasonOf(field: string): string | undefined {
    // The chosen one stays choosable, and the page says that its column is missing.
    if (isLocked) return field === key ? undefined : 'Requires the analyst role.';
    return fields.includes(field) || field === key
      ? undefined
      : `No column is imported as ${fieldLabel(noun, field)}.`;
  }
  return (
    <Card title="Existing records">
      <div className="flex flex-col gap-4 p-4">
        <p className="text-sm text-muted">
          A row updates the {one} that has the same value. Without a match it creates one.
          {noun === 'vulnerabilities' &&
            ' Rows that are the same except for their assets are one vulnerability with all these assets.'}
        </p>
        <RadioList
          label={`Find existing ${many} by`}
          items={items}
          value={key}
          onChange={(next) => onChange({ key: next })}
        />
        {noun === 'assets' && (
          <Field
            label="Project of rows without one"
            hint={
              fields.includes('projectId')
                ? 'For rows whose project is empty.'
                : 'No column is imported as Project: all rows belong to this project.'
            }
          >
            <ProjectPicker
              value={projectId === null ? null : { _id: projectId, name: projectName ?? '…' }}
              onChange={({ _id }) => onChange({ projectId: _id })}
              onClear={() => onChange({ projectId: null })}
              disabled={isLocked}
            />
          </Field>
        )}
      </div>
    </Card>
  );
}

interface FooterProps {
  label: string;
  refusal: string | undefined;
  busy: boolean;
  onCheck: () => void;
  /** Back to the last dry run; absent: there was none. */
  onBack: (() => void) | undefined;
}

function Footer({ label, refusal, busy, onCheck, onBack }: FooterProps) {
  const id = useId();
  return (
    <ActionBar note={refusal ?? 'The dry run checks all rows and writes nothing.'} noteId={id}>
      {onBack !== undefined && <Button onClick={onBack}>Discard changes</Button>}
      <ButtonWithReason
        variant="primary"
        busy={busy}
        disabledReason={refusal}
        aria-describedby={id}
        onClick={onCheck}
      >
        {label}
      </ButtonWithReason>
    </ActionBar>
  );
}
