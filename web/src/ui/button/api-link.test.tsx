import { accounts, type User } from '@riskboard/contract';
import { screen } from '@testing-library/react';
import { expect, test, vi } from 'vitest';
import { renderPart, setupUser } from '../../testing/render-app.tsx';
import { userOf } from '../../testing/rows.ts';
import { counted, refusal, useServer } from '../../testing/server.ts';
import { toast } from '../feedback/toast.ts';
import { ApiLink } from './api-link.tsx';

useServer();

/** An api that refuses the first call, because the session has expired. */
function expiredSession(renewal: () => { user: User } | Response = () => ({ user: userOf() })) {
  let calls = 0;
  counted(accounts.me, () => {
    calls += 1;
    return calls === 1 ? refusal('session_expired') : { user: userOf() };
  });
  return counted(accounts.refresh, renewal);
}

function watchClicks(): string[] {
  const clicked: string[] = [];
  vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(function save(this: HTMLAnchorElement) {
    clicked.push(new URL(this.href).pathname);
  });
  return clicked;
}

async function downloadTemplate(): Promise<void> {
  renderPart(
    <ApiLink href="/api/imports/template" download="template.csv">
      Template
    </ApiLink>,
  );
  await setupUser().click(await screen.findByRole('link', { name: 'Template' }));
}

test('an expired session is renewed before the browser downloads the address', async () => {
  const renewals = expiredSession();
  const clicked = watchClicks();
  const started = vi.spyOn(toast, 'success');
  await downloadTemplate();
  await vi.waitFor(() => expect(started).toHaveBeenCalledWith('Download started', undefined));
  expect(clicked).toEqual(['/api/imports/template']);
  expect(renewals.times).toBe(1);
});

test('a download does not start, and says so, when the session has ended', async () => {
  expiredSession(() => refusal('not_signed_in'));
  const clicked = watchClicks();
  const failed = vi.spyOn(toast, 'error');
  await downloadTemplate();
  await vi.waitFor(() => expect(failed).toHaveBeenCalledWith('Download failed', expect.any(String)));
  expect(clicked).toEqual([]);
});

test('a window is opened by the click, and gets its address once the session is renewed', async () => {
  const renewals = expiredSession();
  const opened = {
    opener: window,
    location: { replace: vi.fn<(href: string) => void>() },
    close: vi.fn<() => void>(),
  };
  vi.spyOn(window, 'open').mockReturnValue(opened as unknown as Window);
  renderPart(<ApiLink href="/api/overview/report">Open</ApiLink>);
  await setupUser().click(await screen.findByRole('link', { name: 'Open' }));
  await vi.waitFor(() => expect(opened.location.replace).toHaveBeenCalledWith('/api/overview/report'));
  expect(opened.opener).toBeNull();
  expect(renewals.times).toBe(1);
});

test('a window is closed again when the session has ended', async () => {
  expiredSession(() => refusal('not_signed_in'));
  const close = vi.fn<() => void>();
  vi.spyOn(window, 'open').mockReturnValue({ close } as unknown as Window);
  const failed = vi.spyOn(toast, 'error');
  renderPart(<ApiLink href="/api/overview/report">Open</ApiLink>);
  await setupUser().click(await screen.findByRole('link', { name: 'Open' }));
  await vi.waitFor(() =>
    expect(failed).toHaveBeenCalledWith('Failed to open the window', expect.any(String)),
  );
  expect(close).toHaveBeenCalledOnce();
});
