import type { ProjectStatus } from '@riskboard/domain';
import { countField, defineEntity, nameFields, timeFields } from './field.ts';

/** Spec 4. */
export const projectStatusLabels = {
  active: 'Active',
  completed: 'Completed',
  'on-hold': 'On Hold',
} as const satisfies Record<ProjectStatus, string>;

const times = timeFields({ created: 'Created', updated: 'Last Updated' });

/** Projects (spec 3; limits of spec 5). */
export const projectEntity = defineEntity({
  noun: 'projects',
  table: 'project',
  event: 'project.changed',
  one: 'project',
  many: 'projects',
  sections: {
    core: { title: 'Core Details' },
    timeline: { title: 'Timeline and Status' },
    organization: { title: 'Organizational Context' },
    rankings: { title: 'Rankings and References' },
  },
  fields: {
    ...nameFields,
    objective: {
      type: 'prose',
      column: 'objective',
      label: 'Objective',
      list: true,
      form: { section: 'core' },
    },
    status: {
      type: 'choice',
      labels: projectStatusLabels,
      default: 'active',
      column: 'status',
      label: 'Status',
      list: true,
      notNull: true,
      sortable: true,
      filter: 'choice',
      inlineEdit: { key: 's' },
      form: { section: 'timeline' },
    },
    startDate: {
      type: 'day',
      column: 'start_date',
      label: 'Start Date',
      formLabel: 'Start date',
      list: true,
      notNull: true,
      sortable: true,
      filter: 'range',
      required: true,
      form: { section: 'timeline' },
    },
    // At least the day after the start date (spec 5).
    plannedEndDate: {
      type: 'day',
      column: 'planned_end_date',
      label: 'Planned end',
      listLabel: 'Planned End',
      formLabel: 'Planned end date',
      list: true,
      sortable: true,
      filter: 'range',
      form: { section: 'timeline' },
    },
    // Derived from the status (spec 4).
    progress: {
      type: 'integer',
      min: 0,
      max: 100,
      unit: '%',
      column: null,
      label: 'Progress',
      list: true,
      notNull: true,
    },
    clientOrganizationName: {
      type: 'text',
      column: 'client_organization_name',
      label: 'Client organization',
      list: true,
      form: { section: 'organization' },
    },
    organizationStrategy: {
      type: 'prose',
      column: 'organization_strategy',
      label: 'Organization strategy',
      list: true,
      form: { section: 'organization' },
    },
    rankingsName: {
      type: 'text',
      column: 'rankings_name',
      label: 'Rankings name',
      list: true,
      form: { section: 'rankings' },
    },
    rankingsDescription: {
      type: 'prose',
      column: 'rankings_description',
      label: 'Rankings description',
      list: true,
      form: { section: 'rankings' },
    },
    rankingsReference: {
      type: 'prose',
      column: 'rankings_reference',
      label: 'Rankings reference',
      list: true,
      form: { section: 'rankings' },
    },
    // Its assets, and what is related to any of them, each counted once (contract, Project counts).
    assets: countField('Assets', null),
    threats: countField('Threats', null),
    vulnerabilities: countField('Vulnerabilities', null),
    ...times,
    // Spec 2, Project detail.
    updatedAt: { ...times.updatedAt, label: 'Last Updated' },
  },
});
