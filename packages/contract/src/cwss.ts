import { endpoints } from './endpoint.ts';
import type { cwssSchemas } from './schemas/cwss.ts';

/**
 * Why a score no longer fits, by the code in `cwssStale`: what changed after the calculation.
 */
export const cwssStaleReasons = {
  cve: 'The CVE id changed.',
  cwe: 'The CWE ids changed.',
  cvss: 'The CVSS vector changed.',
  assets: 'Related assets or their criticality changed.',
  factors: 'An analyst changed a factor.',
  vignette: 'The vignette has a newer version.',
  'vignette-deleted': 'The vignette was deleted.',
  catalogue: 'The weakness catalogue changed.',
} as const;
export type CwssStaleReason = keyof typeof cwssStaleReasons;

/** Why a score was stored. */
export const cwssCauses = ['calculated', 'factors', 'automatic', 'example'] as const;

/** Milliseconds for which a calculation is awaited before the call answers 202 (contract, HTTP). */
export const cwssWaitMs = 1500;

export const cwss = endpoints<typeof cwssSchemas>()({
  score: {
    method: 'POST',
    path: '/api/cwss/score',
    // A call concerns only the caller's own vector.
    access: 'self',
    readOnly: true,
  },
  calculate: {
    method: 'POST',
    path: '/api/reports/vulnerability/calculateCwss',
    access: 'analyst',
  },
  calculateMany: {
    method: 'POST',
    path: '/api/reports/vulnerability/calculateCwss/bulk',
    access: 'analyst',
  },
  explanation: {
    method: 'GET',
    path: '/api/vulnerabilities/:id/cwss',
    access: 'viewer',
  },
  preview: {
    method: 'GET',
    path: '/api/vulnerabilities/:id/cwss/preview',
    access: 'viewer',
  },
  setFactors: {
    method: 'PUT',
    path: '/api/vulnerabilities/:id/cwss/factors',
    access: 'analyst',
  },
});
