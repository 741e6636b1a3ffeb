import { Dialog as Base } from '@base-ui/react/dialog';
import { X } from 'lucide-react';
import { useRef, type ReactNode } from 'react';
import { backdropStyle, dialogStyle } from './dialog-style.ts';
import { firstControl } from './first-control.ts';
import { IconButton } from '../button/icon-button.tsx';

export interface DialogProps {
  open: boolean;
  onOpenChange: (open: boolean) => void;
  title: string;
  description?: ReactNode;
  /** Buttons, the main one last. */
  footer?: ReactNode;
  /** Pixels; limited by the screen. */
  width?: number;
  /** False: only the footer's buttons close it, because its content is shown once. */
  closable?: boolean;
  /**
   * Element that receives the focus; absent: the first control of the content of a dialog with a footer, else the close button.
   */
  initialFocus?: () => HTMLElement | null;
  children?: ReactNode;
}

/** A modal dialog. Escape, the backdrop and the close button close it when it is closable. */
export function Dialog({
  open,
  onOpenChange,
  title,
  description,
  footer,
  width = 520,
  closable = true,
  initialFocus,
  children,
}: DialogProps) {
  const popup = useRef<HTMLDivElement>(null);
  const content = useRef<HTMLDivElement>(null);
  // Never the close button of a task: the Enter key would end it.
  const focusTask = footer === undefined ? undefined : () => firstControl(content.current) ?? popup.current;
  return (
    <Base.Root open={open} onOpenChange={(next) => closable && onOpenChange(next)}>
      <Base.Portal>
        {/* Also over a dialog that opened this one. */}
        <Base.Backdrop forceRender className={backdropStyle} />
        <Base.Popup
          ref={popup}
          className={dialogStyle}
          style={{ width }}
          initialFocus={initialFocus ?? focusTask}
        >
          <header className="flex items-start justify-between gap-4 px-5 pt-4 pb-3">
            <div className="flex min-w-0 flex-col gap-1">
              <Base.Title className="text-lg font-semibold">{title}</Base.Title>
              {description !== undefined && (
                <Base.Description className="text-base text-muted">{description}</Base.Description>
              )}
            </div>
            {closable && (
              <Base.Close
                render={<IconButton label="Close" quiet icon={<X aria-hidden size={16} />} size="sm" />}
              />
            )}
          </header>
          {children !== undefined && (
            <div ref={content} className="min-h-0 grow overflow-y-auto px-5 pb-5">
              {children}
            </div>
          )}
          {footer !== undefined && (
            <footer className="flex flex-wrap justify-end gap-2 border-t px-5 py-3">{footer}</footer>
          )}
        </Base.Popup>
      </Base.Portal>
    </Base.Root>
  );
}
