import type { Alert } from '@riskboard/contract';
import { PathLink } from '../../../ui/button/path-link.tsx';

interface AlertLinkProps {
  alert: Alert;
  onOpen: (alert: Alert) => void;
}

/** Title of an alert; opens its rows. Unread alerts have a dot and a text for screen readers. */
export function AlertLink({ alert, onOpen }: AlertLinkProps) {
  return (
    <PathLink
      path={alert.link}
      onClick={() => onOpen(alert)}
      className={`rounded wrap-anywhere hover:text-accent-text hover:underline ${alert.read ? '' : 'font-semibold'}`}
    >
      {!alert.read && (
        <>
          <span aria-hidden className="mr-1.5 inline-block size-2 rounded-full bg-accent align-middle" />
          <span className="sr-only">Unread:</span>{' '}
        </>
      )}
      {alert.title}
    </PathLink>
  );
}
