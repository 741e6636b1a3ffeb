/**
 * The first calls of pages whose largest element needs them. The api lists them in its response as preload links, so that
 * the replies arrive while the JavaScript is loaded; only for an address without a query. `$id` is that of the address.
 */
export const firstCalls: Readonly<Record<string, readonly string[]>> = {
  '/dashboard': [
    '/api/projects/metrics',
    '/api/projects?page=1&pageSize=12&sort=-createdAt',
    '/api/reports/overview',
    '/api/reports/files?pageSize=3&sort=-uploadDate',
  ],
  '/dashboard/overview': [
    '/api/overview/metrics',
    '/api/overview/risk-categories',
    '/api/overview/risk-exposure-trend',
  ],
  '/dashboard/assets/$id': ['/api/assets/$id', '/api/assets/$id/score'],
  '/dashboard/reports': ['/api/reports/files?page=1&pageSize=10&sort=-uploadDate'],
  '/dashboard/threats/$id': ['/api/threats/$id'],
  '/dashboard/vulnerabilities': ['/api/vulnerabilities?page=1&pageSize=10&sort=-severity'],
  '/dashboard/vulnerabilities/$id': ['/api/vulnerabilities/$id'],
};
