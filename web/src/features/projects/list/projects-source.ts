import { projectList, projects } from '@riskboard/contract';
import { defineListSource, type StateOf } from '../../../ui/list/define-list-source.ts';

/** The projects of the organization, shown as cards; page sizes fill rows of two, three and four cards. */
export const projectsSource = defineListSource({
  route: '/dashboard/projects',
  noun: 'projects',
  list: projectList,
  calls: { list: projects.list },
  rows: (reply) => reply.projects,
  pageSizes: [12, 24, 48, 96],
});
export type ProjectsSearch = StateOf<typeof projectsSource>;
