import { Link } from '@tanstack/react-router';
import { Compass } from 'lucide-react';
import { buttonStyle } from '../../ui/button/button-style.ts';

/** An address that leads nowhere. */
export function PageMissing() {
  return (
    <div className="flex min-h-[60dvh] flex-col items-center justify-center gap-1 px-6 text-center">
      <title>Page not found · Riskboard</title>
      <div className="mb-3 flex size-10 items-center justify-center rounded-full bg-hover text-muted">
        <Compass aria-hidden size={20} />
      </div>
      <h1 className="text-lg font-semibold">Page not found</h1>
      <p className="max-w-110 text-sm text-muted">
        The address may be mistyped, or what was here has been deleted.
      </p>
      <Link to="/dashboard" className={buttonStyle({ class: 'mt-4' })}>
        Go to the dashboard
      </Link>
    </div>
  );
}
