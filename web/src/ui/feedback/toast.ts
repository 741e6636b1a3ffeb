import { Toast } from '@base-ui/react/toast';
import { onOwnerChange } from '../../lib/session/page-owner.ts';

export interface ToastOptions {
  /** Replaces the visible toast with the same id. Failures of one action share an id, which its next attempt closes. */
  id?: string;
  /** Its button closes the toast. */
  action?: { label: string; onClick: () => void };
  /** Called once when the toast closes. */
  onClose?: () => void;
}

/** Shared by `toast` and `Toaster`. */
export const toastManager = Toast.createToastManager();

const tones = { success: 5000, info: 5000, error: 10_000 } as const;
export type ToastTone = keyof typeof tones;

/** Toasts shown before the toaster has loaded are queued. */
let listening = false;
const unsaid: (() => void)[] = [];
let count = 0;

/** Toasts with an action, such as Undo, which is one of the account and organization that the tab shows. */
const withAction = new Set<string>();
onOwnerChange(() => {
  for (const id of withAction) toastManager.close(id);
  withAction.clear();
});

/**
 * Registers the toaster and shows the queued toasts.
 * @returns unregisters it
 */
export function toasterIsThere(): () => void {
  listening = true;
  for (const say of unsaid.splice(0)) say();
  return () => {
    listening = false;
  };
}

function show(type: ToastTone, title: string, description?: string, options: ToastOptions = {}): string {
  count += 1;
  const id = options.id ?? `toast-${count}`;
  const say = () => add(id, { type, title, description, options });
  if (listening) say();
  else unsaid.push(say);
  return id;
}

interface Said {
  type: ToastTone;
  title: string;
  description: string | undefined;
  options: ToastOptions;
}

/** Runs the action once and closes the toast: a second click may arrive before the toast is gone. */
function actionProps(id: string, { label, onClick }: NonNullable<ToastOptions['action']>) {
  let done = false;
  return {
    children: label,
    onClick() {
      if (done) return;
      done = true;
      toastManager.close(id);
      onClick();
    },
  };
}

function add(id: string, { type, title, description, options }: Said): void {
  if (options.action === undefined) withAction.delete(id);
  else withAction.add(id);
  toastManager.add({
    id,
    type,
    title,
    description,
    // Toasts with an action stay longer, so that users can reach it.
    timeout: options.action === undefined ? tones[type] : tones.error,
    priority: 'low',
    // A toast that replaces one with an action has none itself.
    actionProps: options.action && actionProps(id, options.action),
    ...(options.onClose && { onClose: options.onClose }),
  });
}

/** Removes the action of a toast, if it is visible: something else did what it offers. */
function endAction(id: string, description?: string): void {
  if (!withAction.delete(id)) return;
  toastManager.update(id, { description, actionProps: undefined });
}

/** Shows a toast without moving the focus. Each call returns the toast's id. */
export const toast = {
  success: (title: string, description?: string, options?: ToastOptions) =>
    show('success', title, description, options),
  info: (title: string, description?: string, options?: ToastOptions) =>
    show('info', title, description, options),
  error: (title: string, description?: string, options?: ToastOptions) =>
    show('error', title, description, options),
  endAction,
  close: (id: string) => toastManager.close(id),
} as const;
