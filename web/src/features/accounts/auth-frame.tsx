import type { ReactNode } from 'react';
import { Card } from '../../ui/layout/card.tsx';
import { Mark } from '../../ui/layout/mark.tsx';

interface AuthFrameProps {
  title: string;
  description?: ReactNode;
  /** Below the card, such as a link to the sign-up page. */
  footer?: ReactNode;
  children: ReactNode;
}

/** Frame of the pages without a session: the logo and one card. */
export function AuthFrame({ title, description, footer, children }: AuthFrameProps) {
  return (
    <main
      tabIndex={-1}
      className="outline-none mx-auto flex min-h-dvh w-full max-w-100 flex-col justify-center gap-6 px-4 py-10"
    >
      <title>{`${title} · Riskboard`}</title>
      <div className="flex items-center justify-center gap-2.5 text-xl font-semibold tracking-tight">
        <Mark size={28} />
        Riskboard
      </div>
      <Card>
        <div className="flex flex-col gap-5 p-6">
          <div className="flex flex-col gap-1">
            <h1 className="text-lg font-semibold">{title}</h1>
            {description !== undefined && <p className="text-sm text-muted">{description}</p>}
          </div>
          {children}
        </div>
      </Card>
      {footer !== undefined && <div className="text-center text-sm text-muted">{footer}</div>}
    </main>
  );
}
