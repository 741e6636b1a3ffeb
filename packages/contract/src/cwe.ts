import { endpoints } from './endpoint.ts';
import { defineList } from './list.ts';
import type { cweSchemas } from './schemas/cwe.ts';

/** Bytes of an uploaded catalogue; MITRE's XML has 15 MB, its entries as JSON have 20 MB. */
export const catalogueMaxBytes = 32 * 1024 * 1024;

/** Vulnerabilities of a weakness are counted up to this number. */
export const mostCarried = 10_000;

/** Uploaded catalogues that an organization keeps, beyond the one that it uses. */
export const mostUploads = 10;

/** Where a catalogue comes from: it comes with Riskboard, from MITRE's API, or an owner uploaded it. */
export const catalogueOrigins = ['bundled', 'api', 'upload'] as const;

export const weaknessList = defineList(
  {
    /** Number of the CWE. */
    number: { label: 'CWE', kind: 'number' },
    name: { label: 'Name', kind: 'text' },
    kind: {
      label: 'Kind',
      kind: 'choice',
      values: ['weakness', 'category', 'view'],
      labels: { weakness: 'Weakness', category: 'Category', view: 'View' },
    },
    /** Empty for a category or a view. */
    abstraction: { label: 'Abstraction', kind: 'choice' },
    status: { label: 'Status', kind: 'choice' },
    /** Of an exploit; empty where MITRE names none. */
    likelihood: { label: 'Likelihood of exploit', kind: 'choice' },
    /** Vulnerabilities of the organization that carry it, at most `mostCarried`. */
    vulnerabilities: { label: 'Vulnerabilities', kind: 'number' },
  },
  'number',
);

export const cwe = endpoints<typeof cweSchemas>()({
  list: { method: 'GET', path: '/api/cwe', access: 'viewer' },
  facets: { method: 'GET', path: '/api/cwe/facets', access: 'viewer' },
  export: { method: 'GET', path: '/api/cwe/export', access: 'viewer' },
  catalogue: { method: 'GET', path: '/api/cwe/catalogue', access: 'viewer' },
  choose: { method: 'PUT', path: '/api/cwe/catalogue', access: 'owner' },
  refresh: { method: 'POST', path: '/api/cwe/catalogue/refresh', access: 'owner', perMinute: 10 },
  upload: {
    method: 'POST',
    path: '/api/cwe/catalogue/upload',
    access: 'owner',
    multipart: { field: 'catalogueFile' },
    perMinute: 10,
  },
  get: { method: 'GET', path: '/api/cwe/:id', access: 'viewer' },
});
