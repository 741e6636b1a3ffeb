import { Toast } from '@base-ui/react/toast';
import { CircleAlert, CircleCheck, Info, X } from 'lucide-react';
import { type RefObject, useEffect, useRef } from 'react';
import { buttonStyle } from '../button/button-style.ts';
import { toasterIsThere, toastManager, type ToastTone } from './toast.ts';
import { useClearSpace } from './use-clear-space.ts';

const icons = {
  success: <CircleCheck aria-hidden size={16} className="mt-0.5 shrink-0 text-success" />,
  info: <Info aria-hidden size={16} className="mt-0.5 shrink-0 text-info" />,
  error: <CircleAlert aria-hidden size={16} className="mt-0.5 shrink-0 text-danger" />,
} as const satisfies Record<ToastTone, unknown>;

/**
 * Toasts without an action that are shown at once, newest first. Those with an action, such as Undo, are shown until their
 * time is over, because dialogs promise it.
 */
const mostWithoutAction = 4;

function ToastList({ viewport }: { viewport: RefObject<HTMLElement | null> }) {
  const { toasts } = Toast.useToastManager();
  useEffect(() => toasterIsThere(), []);
  useEffect(() => {
    const closable = toasts.filter(
      ({ actionProps, transitionStatus }) => actionProps === undefined && transitionStatus !== 'ending',
    );
    for (const { id } of closable.slice(mostWithoutAction)) toastManager.close(id);
  }, [toasts]);
  useClearSpace(viewport, toasts.length);
  return toasts.map((toast) => (
    <Toast.Root
      key={toast.id}
      toast={toast}
      swipeDirection="right"
      className="pointer-events-auto rounded border bg-raised shadow-raised transition-opacity data-ending-style:opacity-0 data-starting-style:opacity-0"
    >
      <Toast.Content className="flex items-start gap-3 py-3 pr-2 pl-4">
        {icons[toast.type as ToastTone]}
        <div className="flex min-w-0 grow flex-col gap-0.5">
          <Toast.Title className="line-clamp-3 text-base font-medium wrap-anywhere" />
          {/* Messages of the server are longer than names. */}
          <Toast.Description className="line-clamp-6 text-sm wrap-anywhere text-muted" />
          <Toast.Action className={buttonStyle({ size: 'sm', class: 'mt-2 self-start' })} />
        </div>
        {/* Base UI hides it from assistive technology until the toasts are pointed at; here it is always visible. */}
        <Toast.Close
          aria-label="Dismiss"
          aria-hidden={false}
          className={buttonStyle({ variant: 'ghost', size: 'sm', square: true })}
        >
          <X aria-hidden size={14} />
        </Toast.Close>
      </Toast.Content>
    </Toast.Root>
  ));
}

/** Container of the toasts; once per app. F6 moves the focus there. */
export function Toaster() {
  const viewport = useRef<HTMLDivElement>(null);
  return (
    <Toast.Provider toastManager={toastManager} limit={Infinity}>
      <Toast.Portal>
        {/* To the left of an open drawer; on narrow screens the drawer ends above the toasts. */}
        <Toast.Viewport
          ref={viewport}
          className="pointer-events-none fixed right-4 bottom-20 z-50 flex w-90 max-w-[calc(100vw-32px)] flex-col-reverse gap-2 has-[>:nth-child(6)]:max-h-[calc(100dvh-160px)] has-[>:nth-child(6)]:overflow-y-auto lg:right-[calc(var(--drawer-width,0px)+16px)]"
        >
          <ToastList viewport={viewport} />
        </Toast.Viewport>
      </Toast.Portal>
    </Toast.Provider>
  );
}
