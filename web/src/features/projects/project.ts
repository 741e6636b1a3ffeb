import { projectEntity, projects } from '@riskboard/contract';
import { endsAfterStart, endTooEarly } from '@riskboard/domain';
import type { Entity, FormRules } from '../../lib/entity/entity.ts';
import { messagesOf } from '../../lib/entity/messages.ts';

const form: FormRules = {
  schemaOf: ({ NewProject }) => NewProject,
  createsValidOnly: true,
  problemsOf({ startDate, plannedEndDate }): Readonly<Record<string, string>> {
    if (typeof startDate !== 'string' || typeof plannedEndDate !== 'string') return {};
    if (startDate === '' || plannedEndDate === '' || endsAfterStart(startDate, plannedEndDate)) return {};
    return { plannedEndDate: endTooEarly };
  },
};

/** Projects, as every page of them needs them. */
export const project = {
  ...projectEntity,
  calls: projects,
  messages: messagesOf(projectEntity, { loadFailed: 'Failed to load project details.' }),
  form,
} as const satisfies Entity;
