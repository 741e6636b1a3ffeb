import { Toast } from '@base-ui/react/toast';

export interface ToastOptions {
  /** A toast with the id of one that stands replaces it: a start becomes its end. */
  id?: string;
  action?: { label: string; onClick: () => void };
}

/** Shared by `toast` and `Toaster`. */
export const toastManager = Toast.createToastManager();

const tones = { success: 5000, info: 5000, error: 10_000 } as const;
export type ToastTone = keyof typeof tones;

/** The toaster comes after the page: what is said before it is there waits for it. */
let listening = false;
const unsaid: (() => void)[] = [];
let count = 0;

/** Says what waited. @returns no toaster any more */
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

function add(id: string, { type, title, description, options }: Said): void {
  toastManager.add({
    id,
    type,
    title,
    description,
    // Whoever may act on it needs the time to reach it.
    timeout: options.action === undefined ? tones[type] : tones.error,
    priority: 'low',
    ...(options.action !== undefined && {
      actionProps: { children: options.action.label, onClick: options.action.onClick },
    }),
  });
}

/** Says what came of something, politely, without taking the focus. Each call answers the toast's id. */
export const toast = {
  success: (title: string, description?: string, options?: ToastOptions) =>
    show('success', title, description, options),
  info: (title: string, description?: string, options?: ToastOptions) =>
    show('info', title, description, options),
  error: (title: string, description?: string, options?: ToastOptions) =>
    show('error', title, description, options),
  close: (id: string) => toastManager.close(id),
} as const;
