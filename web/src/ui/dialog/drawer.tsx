import { Dialog as Base } from '@base-ui/react/dialog';
import { ArrowLeft, X } from 'lucide-react';
import { type ReactNode, type RefObject, useEffect } from 'react';
import { backdropStyle } from './dialog-style.ts';
import { IconButton } from '../button/icon-button.tsx';

export interface DrawerProps {
  open: boolean;
  onOpenChange: (open: boolean) => void;
  title: string;
  side?: 'left' | 'right';
  /** Pixels; limited by the screen. Spec 9: the CWE panel is at most 520. */
  width?: number;
  /** Shown to the right of the title. */
  actions?: ReactNode;
  footer?: ReactNode;
  /** Instead of 'Close' at the end of the header: a way back at its start. The drawer then fills the screen. */
  back?: string;
  /** Element that receives the focus; absent: the first control. */
  initialFocus?: RefObject<HTMLElement | null>;
  /** Moves the focus afterwards; absent: it returns to the element that had it before. */
  onClosed?: () => void;
  children: ReactNode;
}

const sides = {
  left: 'left-0 border-r data-ending-style:-translate-x-full',
  right: 'right-0 border-l data-ending-style:translate-x-full',
} as const;

/** A modal panel at the side of the screen. */
export function Drawer({
  open,
  onOpenChange,
  title,
  side = 'right',
  width = 440,
  actions,
  footer,
  back,
  initialFocus,
  onClosed,
  children,
}: DrawerProps) {
  useEffect(() => {
    if (!open || side === 'left') return undefined;
    const { style } = document.documentElement;
    style.setProperty('--drawer-width', `${width}px`);
    return () => void style.removeProperty('--drawer-width');
  }, [open, side, width]);
  return (
    <Base.Root open={open} onOpenChange={onOpenChange}>
      <Base.Portal>
        {/* Also over a dialog that opened this one. */}
        <Base.Backdrop forceRender className={backdropStyle} />
        <Base.Popup
          initialFocus={initialFocus}
          finalFocus={
            onClosed &&
            (() => {
              onClosed();
              return false;
            })
          }
          style={{ width: back === undefined ? width : '100vw' }}
          className={`fixed top-0 bottom-0 z-40 flex max-lg:bottom-[var(--toasts-space,0px)] ${back === undefined ? 'max-w-[calc(100vw-32px)]' : ''} flex-col bg-raised shadow-raised transition-transform outline-none ${sides[side]}`}
        >
          <header
            className={`flex h-14 shrink-0 items-center gap-2 border-b pr-3 ${back === undefined ? 'pl-5' : 'pl-3'}`}
          >
            {back !== undefined && (
              <Base.Close
                render={<IconButton label={back} quiet icon={<ArrowLeft aria-hidden size={16} />} />}
              />
            )}
            <Base.Title className="grow truncate text-lg font-semibold">{title}</Base.Title>
            {actions}
            {back === undefined && (
              <Base.Close render={<IconButton label="Close" quiet icon={<X aria-hidden size={16} />} />} />
            )}
          </header>
          <div className="min-h-0 grow overflow-y-auto">{children}</div>
          {footer !== undefined && <footer className="shrink-0 border-t px-5 py-3">{footer}</footer>}
        </Base.Popup>
      </Base.Portal>
    </Base.Root>
  );
}
