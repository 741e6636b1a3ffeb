import { projectEntity, projects } from '@riskboard/contract';
import { endsAfterStart } from '@riskboard/domain';
import type { Entity, FormRules } from '../../lib/entity/entity.ts';
import { messagesOf } from '../../lib/entity/messages.ts';

const form: FormRules = {
  schemaOf: ({ NewProject }) => NewProject,
  problemsOf({ startDate, plannedEndDate }): Readonly<Record<string, string>> {
    if (typeof startDate !== 'string' || typeof plannedEndDate !== 'string') return {};
    if (startDate === '' || plannedEndDate === '' || endsAfterStart(startDate, plannedEndDate)) return {};
    return { plannedEndDate: 'Choose a day after the start date.' };
  },
};

/** Projects, as every page of them needs them. */
export const project = {
  ...projectEntity,
  calls: projects,
  messages: messagesOf(projectEntity),
  form,
} as const satisfies Entity;
