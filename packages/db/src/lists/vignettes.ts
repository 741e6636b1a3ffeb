import { vignetteList } from '@riskboard/contract';
import { isAnyLike } from './like.ts';
import type { ListSource } from './source.ts';

/** Vignettes with the number of vulnerabilities whose newest score applies them. */
export const vignetteSource: ListSource<typeof vignetteList.fields> = {
  fields: vignetteList.fields,
  // Counted once for all vignettes, by the index on `cwss_vignette_id`.
  from: `(select vignette.*, coalesce(applied.vulnerabilities, 0)::int as vulnerabilities
    from vignette left join (
      select organization_id, cwss_vignette_id, count(*) as vulnerabilities from vulnerability
      where organization_id = current_organization() and cwss_vignette_id is not null
      group by organization_id, cwss_vignette_id) applied
      on applied.organization_id = vignette.organization_id and applied.cwss_vignette_id = vignette.id) r`,
  columns: {
    name: { sql: 'r.name_key', type: 'text', required: true },
    scorecardName: { sql: 'lower(r.scorecard_name)', type: 'text', required: true },
    origin: { sql: 'r.origin', type: 'text' },
    version: { sql: 'r.version', type: 'integer', required: true },
    ratedCells: { sql: 'r.rated_cells', type: 'integer', required: true },
    vulnerabilities: { sql: 'r.vulnerabilities', type: 'integer', required: true },
    createdAt: { sql: 'r.created_at', type: 'timestamptz', required: true },
    updatedAt: { sql: 'r.updated_at', type: 'timestamptz', required: true },
  },
  search: (pattern) => isAnyLike(['name', 'scorecard_name', 'origin'], pattern),
  extra: {},
};
