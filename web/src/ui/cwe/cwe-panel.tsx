import { Dialog as Base } from '@base-ui/react/dialog';
import { ArrowLeft, X } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import { IconButton } from '../icon-button.tsx';
import { CweDetails } from './cwe-details.tsx';
import { closedTrail, followTrail } from './trail.ts';

export interface CwePanelProps {
  /** The weakness as it stands on a record, such as CWE-79; null while the panel is closed. */
  value: string | null;
  /** A related weakness was chosen, or the way back: show this one. */
  onOpen: (value: string) => void;
  onClose: () => void;
}

/**
 * Details of a weakness beside the page, which stays usable (spec 2 and 9: at most 520 px wide). Escape closes it and
 * the focus goes back to where it came from.
 */
export function CwePanel({ value, onOpen, onClose }: CwePanelProps) {
  const [trail, setTrail] = useState(closedTrail);
  const next = followTrail(trail, value);
  if (next !== trail) setTrail(next);
  const shown = next.values.at(-1);
  const previous = next.values.at(-2);
  const popup = useRef<HTMLDivElement>(null);
  const title = useRef<HTMLHeadingElement>(null);
  const opener = useFocus(next.open ? shown : undefined, { popup, title });

  return (
    <Base.Root
      open={next.open}
      onOpenChange={(open) => !open && onClose()}
      modal={false}
      disablePointerDismissal
    >
      <Base.Portal>
        <Base.Popup
          ref={popup}
          initialFocus={title}
          finalFocus={() => (opener.current?.isConnected ? opener.current : true)}
          className="fixed inset-x-2 bottom-2 z-30 flex max-h-[min(80dvh,760px)] max-w-130 flex-col rounded border bg-raised shadow-raised transition-opacity outline-none data-ending-style:opacity-0 data-starting-style:opacity-0 sm:right-4 sm:bottom-4 sm:left-auto sm:w-130"
        >
          <header className="flex h-12 shrink-0 items-center gap-2 border-b pr-2 pl-4">
            {previous !== undefined && (
              <IconButton
                label={`Back to ${labelOf(previous)}`}
                icon={<ArrowLeft aria-hidden size={16} />}
                onClick={() => onOpen(previous)}
                className="-ml-2"
              />
            )}
            <Base.Title
              ref={title}
              tabIndex={-1}
              className="grow truncate text-lg font-semibold tabular-nums outline-none"
            >
              {shown === undefined ? 'CWE' : labelOf(shown)}
            </Base.Title>
            <Base.Close render={<IconButton label="Close" icon={<X aria-hidden size={16} />} />} />
          </header>
          <div className="min-h-0 grow overflow-y-auto">
            {shown !== undefined && <CweDetails key={shown} value={shown} onOpen={onOpen} />}
          </div>
        </Base.Popup>
      </Base.Portal>
    </Base.Root>
  );
}

/** As people call it; what is no number stays as it is. */
const labelOf = (value: string): string => (/^\d+$/u.test(value.trim()) ? `CWE-${value.trim()}` : value);

interface Places {
  popup: React.RefObject<HTMLElement | null>;
  title: React.RefObject<HTMLElement | null>;
}

/** Brings the focus to what is newly shown, and remembers whence it came if that was the page. */
function useFocus(shown: string | undefined, { popup, title }: Places) {
  const opener = useRef<HTMLElement | null>(null);
  useEffect(() => {
    if (shown === undefined || popup.current === null) return;
    const active = document.activeElement;
    const onPage = active instanceof HTMLElement && active !== document.body;
    if (onPage && !popup.current.contains(active)) opener.current = active;
    title.current?.focus();
  }, [shown, popup, title]);
  return opener;
}
