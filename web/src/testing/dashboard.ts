import { accounts, alerts, jobs, projects, reports, views, vignettes, type User } from '@riskboard/contract';
import { fileOf, userOf } from './rows.ts';
import { counted, refusal } from './server.ts';

/** There is no session, until `answerDashboard` is called. */
export function answerSignedOut(): void {
  counted(accounts.me, () => refusal('not_signed_in'));
  counted(accounts.refresh, () => refusal('not_signed_in'));
}

/** Answers every call of the dashboard of a signed-in user. */
export function answerDashboard(change: { user?: Partial<User>; files?: number } = {}): void {
  const { files = 1 } = change;
  counted(accounts.me, () => ({ user: userOf(change.user) }));
  counted(accounts.memberships, () => {
    const { organizationId, organization, role } = userOf(change.user);
    return { memberships: [{ organizationId, organization, role, current: true }] };
  });
  counted(views.list, () => ({ views: [] }));
  counted(vignettes.list, () => ({ items: [], total: 0, page: 1, pageSize: 5, nextCursor: null }));
  counted(alerts.unread, () => ({ unread: 0 }));
  counted(jobs.list, () => ({ jobs: [], total: 0, page: 1, pageSize: 50, nextCursor: null }));
  counted(reports.vulnerabilityCount, () => ({ count: 3 }));
  counted(reports.threatCount, () => ({ count: 5 }));
  counted(projects.metrics, () => ({
    active: 2,
    completed: 1,
    onHold: 0,
    assets: 12,
    threats: 5,
    vulnerabilities: 1234,
  }));
  counted(projects.list, () => ({ projects: [], total: 0, page: 1, pageSize: 12, nextCursor: null }));
  counted(reports.overview, () => ({
    files,
    bytes: files * 2048,
    byVersion: { '2.1': files },
    vulnerabilities: files * 3,
    threats: files * 5,
    lastUploadAt: files === 0 ? null : '2026-11-20T10:00:00.000Z',
    jobs: { queued: 0, running: 0, failed: 0 },
  }));
  counted(reports.files, () => ({
    files: Array.from({ length: Math.min(files, 6) }, () => fileOf()),
    total: files,
    page: 1,
    pageSize: 6,
    nextCursor: null,
  }));
}
