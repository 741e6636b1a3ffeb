import { CircleAlert } from 'lucide-react';

/** The error line of a form. Its live region always exists, so that screen readers announce a new message. */
export function FormError({ message }: { message: string | null }) {
  return (
    <div role="alert" className="empty:-mb-4">
      {message !== null && (
        <p className="flex items-start gap-2 rounded bg-danger-soft px-3 py-2 text-sm text-danger">
          <CircleAlert aria-hidden size={16} className="mt-0.5 shrink-0" />
          {message}
        </p>
      )}
    </div>
  );
}
