import { technicalImpacts, impactLayers } from '@riskboard/domain';
import { Link } from '@tanstack/react-router';
import { defineListView } from '../../../ui/list/define-list-view.ts';
import { Maybe } from '../../../ui/text/empty.tsx';
import { Time } from '../../../ui/text/time.tsx';
import { Origin } from '../origin.tsx';
import { ScoredVulnerabilities } from '../scored-vulnerabilities.tsx';
import { vignettesSource } from '../vignettes-source.ts';
import { VignetteMenu } from './vignette-menu.tsx';

const cells = technicalImpacts.length * impactLayers.length;

/** The scoring vignettes (spec 2, Calculate CWSS dialog: 'No vignettes available.'). */
export const vignettesView = defineListView(vignettesSource, {
  label: 'Vignettes',
  nouns: { one: 'vignette', many: 'vignettes' },
  row: { id: ({ _id }) => _id, name: ({ name }) => name },
  columns: [
    {
      field: 'name',
      rowHeader: true,
      cell: ({ _id: id, name }) => (
        <Link
          to="/dashboard/reports/vignettes/$id"
          params={{ id }}
          title={name}
          className="line-clamp-2 font-medium wrap-anywhere whitespace-normal hover:text-accent-text hover:underline"
        >
          {name}
        </Link>
      ),
    },
    {
      field: 'scorecardName',
      from: 'md',
      width: 192,
      narrowWidth: 136,
      cell: ({ scorecardName }) => <Maybe text={scorecardName} />,
    },
    {
      field: 'origin',
      from: 'sm',
      width: 216,
      narrowWidth: 204,
      cell: ({ origin }) => <Origin origin={origin} />,
    },
    { field: 'version', from: 'sm', width: 92, cell: ({ version }) => version },
    {
      field: 'ratedCells',
      from: 'md',
      width: 112,
      cell: ({ ratedCells }) => (
        <>
          {ratedCells} <span className="text-muted">of {cells}</span>
        </>
      ),
    },
    {
      field: 'vulnerabilities',
      width: 128,
      cell: (vignette) => <ScoredVulnerabilities vignette={vignette} />,
    },
    { field: 'updatedAt', from: 'md', cell: ({ updatedAt }) => <Time value={updatedAt} /> },
    {
      id: 'actions',
      label: 'Actions',
      hideLabel: true,
      last: true,
      cell: (vignette) => <VignetteMenu vignette={vignette} />,
    },
  ],
  texts: {
    search: 'Search vignettes',
    empty: 'No vignettes available.',
    failure: 'Failed to load vignettes.',
  },
});
