import {
  assetEntity,
  assets,
  projectEntity,
  projects,
  threatEntity,
  threats,
  vulnerabilities,
  vulnerabilityEntity,
} from '@riskboard/contract';
import { Boxes, Bug, FolderKanban, FolderOpen, ShieldAlert } from 'lucide-react';
import type { ReactNode } from 'react';
import { stringifySearch } from '../../lib/list/search-string.ts';
import type { FoundNoun } from './use-entries.tsx';

interface RecordRoute {
  readonly label: string;
  readonly icon: ReactNode;
  /** Address of the list. */
  readonly list: string;
  /** Route of one record; nouns without such a route are not offered. */
  readonly route: string;
}

/** Routes of the records of each noun. */
export const recordRoutes = {
  vulnerabilities: {
    label: 'Vulnerabilities',
    icon: <Bug aria-hidden size={16} />,
    list: '/dashboard/vulnerabilities',
    route: '/dashboard/vulnerabilities/$id',
  },
  threats: {
    label: 'Threats',
    icon: <ShieldAlert aria-hidden size={16} />,
    list: '/dashboard/threats',
    route: '/dashboard/threats/$id',
  },
  assets: {
    label: 'Assets',
    icon: <Boxes aria-hidden size={16} />,
    list: '/dashboard/assets',
    route: '/dashboard/assets/$id',
  },
  projects: {
    label: 'Projects',
    icon: <FolderKanban aria-hidden size={16} />,
    // The dashboard is the list of projects.
    list: '/dashboard',
    route: '/dashboard/projects/$id',
  },
  reports: {
    label: 'Reports',
    icon: <FolderOpen aria-hidden size={16} />,
    list: '/dashboard/reports',
    route: '/dashboard/reports/$fileId',
  },
} as const satisfies Record<FoundNoun, RecordRoute>;

/** Records that a person can create, with the address of the form; entities without such a page are not offered. */
export const creatable = (
  [
    [vulnerabilityEntity, vulnerabilities],
    [threatEntity, threats],
    [assetEntity, assets],
    [projectEntity, projects],
  ] as const
).map(([{ noun, one }, calls]) => ({
  one,
  icon: recordRoutes[noun].icon,
  create: recordRoutes[noun].route.replace('$id', 'new'),
  access: calls.create.access,
}));

export const recordAddress = (noun: FoundNoun, id: string): string =>
  recordRoutes[noun].route.replace(/\$\w+$/u, id);

/** Address of a list under a search or filter, which no default view of the reader replaces. */
export const listAddress = (noun: FoundNoun, filter: Record<string, string | readonly string[]>): string =>
  `${recordRoutes[noun].list}${stringifySearch(filter)}`;
