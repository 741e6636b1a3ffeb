import { endpoints } from './endpoint.ts';
import { defineList } from './list.ts';
import type { vignetteSchemas } from './schemas/vignettes.ts';

/** Bytes of an uploaded vignette; those of public collections have a few kB. */
export const vignetteMaxBytes = 1024 * 1024;

/** Vulnerabilities that a preview of a scorecard calculates, at most: those with the highest severity. */
export const mostPreviewed = 5000;

/** Vulnerabilities that a preview of a scorecard lists, at most. */
export const mostMoves = 50;

export const vignetteList = defineList(
  {
    name: { label: 'Name', kind: 'text' },
    scorecardName: { label: 'Scorecard', kind: 'text' },
    /** Who wrote it. */
    origin: { label: 'Origin', kind: 'choice' },
    version: { label: 'Version', kind: 'number' },
    /** Rated cells of the scorecard, of 32. */
    ratedCells: { label: 'Rated cells', kind: 'number' },
    /** Vulnerabilities whose newest score applies it. */
    vulnerabilities: { label: 'Vulnerabilities', kind: 'number' },
    createdAt: { label: 'Created', kind: 'time' },
    updatedAt: { label: 'Updated', kind: 'time' },
  },
  'name',
);

export const vignettes = endpoints<typeof vignetteSchemas>()({
  list: {
    method: 'GET',
    path: '/api/reports/vignette',
    access: 'viewer',
  },
  facets: {
    method: 'GET',
    path: '/api/reports/vignette/facets',
    access: 'viewer',
  },
  export: {
    method: 'GET',
    path: '/api/reports/vignette/export',
    access: 'viewer',
  },
  upload: {
    method: 'POST',
    path: '/api/reports/upload-vignette',
    access: 'analyst',
    multipart: { field: 'vignetteFile' },
    fallback: 'Failed to upload vignette.',
  },
  create: {
    method: 'POST',
    path: '/api/reports/vignette',
    access: 'analyst',
    versioned: true,
  },
  addStarters: {
    method: 'POST',
    path: '/api/reports/vignette/starters',
    access: 'analyst',
  },
  get: {
    method: 'GET',
    path: '/api/reports/vignette/:id',
    access: 'viewer',
    versioned: true,
  },
  version: {
    method: 'GET',
    path: '/api/reports/vignette/:id/versions/:version',
    access: 'viewer',
  },
  update: {
    method: 'PUT',
    path: '/api/reports/vignette/:id',
    access: 'analyst',
    versioned: true,
  },
  delete: {
    method: 'DELETE',
    path: '/api/reports/vignette/:id',
    access: 'analyst',
    versioned: true,
  },
  download: {
    method: 'GET',
    path: '/api/reports/vignette/:id/download',
    access: 'viewer',
  },
  preview: {
    method: 'POST',
    path: '/api/reports/vignette/preview',
    access: 'viewer',
    readOnly: true,
  },
});
