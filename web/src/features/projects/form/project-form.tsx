import type { Project } from '@riskboard/contract';
import { dayAfter } from '@riskboard/domain';
import { useEffect, useEffectEvent } from 'react';
import { DayField } from '../../../ui/form/controls/day-field.tsx';
import { FormSection } from '../../../ui/form/entity-field.tsx';
import { EditPage, EntityForm } from '../../../ui/form/entity-form.tsx';
import { useTextValue } from '../../../ui/form/form-context.ts';
import { useField } from '../../../ui/form/use-field.ts';
import { project } from '../project.ts';

const Section = FormSection<typeof project>;

/** The planned end: at least the day after the start, and disabled until there is one (spec 5, Project). */
function PlannedEndField() {
  const { value, leave } = useField<string>();
  const start = useTextValue('startDate');
  // A start that moves behind the end makes the end invalid, which must be visible without a visit of the field.
  const showProblem = useEffectEvent((changed: string) => {
    if (changed !== '' && value !== '') leave();
  });
  useEffect(() => {
    showProblem(start);
  }, [start]);
  return (
    <DayField
      min={start === '' ? undefined : dayAfter(start)}
      hint="At least the day after the start date."
      disabledReason={start === '' ? 'Enter a start date first.' : undefined}
    />
  );
}

const controls = { plannedEndDate: <PlannedEndField /> };

/** Creates or edits a project (spec 2, Project form). */
export function ProjectForm({ record }: { record?: Project }) {
  return (
    <EntityForm entity={project} record={record}>
      <Section name="core" />
      <Section name="timeline" order={['startDate', 'plannedEndDate', 'status']} controls={controls} />
      <Section name="organization" />
      <Section name="rankings" />
    </EntityForm>
  );
}

export const EditProjectPage = ({ id }: { id: string }) => (
  <EditPage entity={project} id={id} Form={ProjectForm} />
);
