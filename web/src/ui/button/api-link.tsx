import type { ComponentProps, MouseEvent, ReactNode } from 'react';
import { messageOf } from '../../lib/api/errors.ts';
import { downloadFrom } from '../../lib/browser/save-as.ts';
import { renewExpired } from '../../lib/session/account.ts';
import { toast } from '../feedback/toast.ts';
import { buttonStyle, type ButtonStyle } from './button-style.ts';

interface ApiLinkProps extends Omit<
  ComponentProps<'a'>,
  'className' | 'style' | 'target' | 'rel' | 'download'
> {
  /** An address of the API. */
  href: string;
  /** The name of the downloaded file, empty for the one that the server gives; absent: opens the address in a new window. */
  download?: string;
  /** At most one `primary` per screen. */
  variant?: Exclude<ButtonStyle['variant'], null>;
  size?: Exclude<ButtonStyle['size'], null>;
  icon?: ReactNode;
}

async function openWindow(href: string): Promise<void> {
  // Opened by the click itself: browsers block windows that a script opens later.
  const opened = window.open('', '_blank');
  try {
    await renewExpired();
    if (opened === null) throw new Error('Please allow this page to open windows.');
    opened.opener = null;
    opened.location.replace(href);
  } catch (error) {
    opened?.close();
    toast.error('Failed to open the window', messageOf(error, 'Please try again.'));
  }
}

/** Clicks with which a browser opens a link elsewhere. */
const isOfBrowser = ({ button, metaKey, ctrlKey, shiftKey, altKey }: MouseEvent): boolean =>
  button !== 0 || metaKey || ctrlKey || shiftKey || altKey;

/**
 * A link to an address of the API that looks like a button. The browser itself requests the address, which would be refused
 * when the session has expired, so a click first renews it.
 */
export function ApiLink({ href, download, variant, size, icon, children, ...link }: ApiLinkProps) {
  function follow(event: MouseEvent): void {
    if (isOfBrowser(event)) return;
    event.preventDefault();
    void (download === undefined ? openWindow(href) : downloadFrom(href, download));
  }
  return (
    <a
      {...link}
      href={href}
      {...(download === undefined ? { target: '_blank', rel: 'noreferrer' } : { download })}
      className={buttonStyle({ variant, size })}
      onClick={follow}
    >
      {icon}
      {children}
    </a>
  );
}
