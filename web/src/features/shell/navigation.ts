import {
  Boxes,
  Bug,
  Calculator,
  FileChartColumn,
  FileSearch,
  FolderOpen,
  Inbox,
  FolderKanban,
  Gauge,
  Layers,
  LibraryBig,
  History,
  ListChecks,
  Settings,
  ShieldAlert,
  FileWarning,
  Grid3x3,
} from 'lucide-react';

/** Entries of the left rail, in order (stack, stable rail). */
export const navigation = [
  {
    entries: [
      { to: '/dashboard/overview', label: 'Overview', icon: Gauge, keys: 'g o' },
      { to: '/dashboard', label: 'Projects', icon: FolderKanban, keys: 'g d' },
      { to: '/dashboard/assets', label: 'Assets', icon: Boxes, keys: 'g i' },
      { to: '/dashboard/vulnerabilities', label: 'Vulnerabilities', icon: Bug, keys: 'g v' },
      { to: '/dashboard/threats', label: 'Threats', icon: ShieldAlert, keys: 'g t' },
      { to: '/dashboard/weaknesses', label: 'Weaknesses', icon: LibraryBig, keys: 'g w' },
    ],
  },
  {
    title: 'Reports',
    entries: [
      { to: '/dashboard/reports', label: 'Files', icon: FolderOpen, keys: 'g r' },
      { to: '/dashboard/batches', label: 'Batches', icon: Layers },
      { to: '/dashboard/reports/vulnerabilities', label: 'Vulnerability data', icon: FileSearch },
      { to: '/dashboard/reports/threats', label: 'Threat data', icon: FileWarning },
    ],
  },
  {
    title: 'Scoring',
    entries: [
      { to: '/dashboard/reports/vignettes', label: 'Vignettes', icon: Grid3x3 },
      { to: '/dashboard/cwss', label: 'CWSS calculator', icon: Calculator, keys: 'g c' },
    ],
  },
  {
    entries: [
      { to: '/dashboard/alerts', label: 'Alerts', icon: Inbox },
      { to: '/dashboard/report', label: 'Risk report', icon: FileChartColumn },
      { to: '/dashboard/jobs', label: 'Jobs', icon: ListChecks, keys: 'g j' },
      { to: '/dashboard/activity', label: 'Activity', icon: History, keys: 'g a' },
    ],
  },
  {
    foot: true,
    entries: [{ to: '/dashboard/settings', label: 'Settings', icon: Settings, keys: 'g s' }],
  },
] as const;

export type Destination = (typeof navigation)[number]['entries'][number];

/** Entries with a shortcut. */
export const pagesWithKeys = navigation.flatMap(({ entries }) => entries.filter((entry) => 'keys' in entry));

/** Path below which an entry's pages are. The dashboard contains the projects. */
const folderOf = (to: string): string => (to === '/dashboard' ? '/dashboard/projects' : to);

/** Rail entry that a path belongs to: the deepest entry that contains it. */
export function partOf(pathname: string): Destination | undefined {
  const entries: readonly Destination[] = navigation.flatMap(
    (group): readonly Destination[] => group.entries,
  );
  return entries
    .filter(({ to }) => pathname === to || `${pathname}/`.startsWith(`${folderOf(to)}/`))
    .toSorted((a, b) => b.to.length - a.to.length)[0];
}
