import { endpoints } from './endpoint.ts';
import type { alertSchemas } from './schemas/alerts.ts';

// Separate from the rules and webhooks, because every page of the web loads it.

/** An inbox counts unread alerts up to this number; more are shown as '99+'. */
export const mostUnread = 100;

export const alerts = endpoints<typeof alertSchemas>()({
  list: { method: 'GET', path: '/api/alerts', access: 'viewer' },
  unread: { method: 'GET', path: '/api/alerts/unread', access: 'viewer' },
  // A mark of the caller's own, as a saved view.
  read: { method: 'POST', path: '/api/alerts/read', access: 'self' },
});
