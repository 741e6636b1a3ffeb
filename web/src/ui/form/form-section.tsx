import { useId, type ReactNode } from 'react';

interface FormSectionProps {
  title: string;
  description?: ReactNode;
  children: ReactNode;
}

/** Fields that belong together: two columns where there is room. */
export function FormSection({ title, description, children }: FormSectionProps) {
  const id = useId();
  return (
    <section
      aria-labelledby={id}
      className="grid gap-x-8 gap-y-4 border-t px-4 py-6 first:border-t-0 sm:px-6 lg:grid-cols-[200px_minmax(0,1fr)]"
    >
      <header>
        <h2 id={id} className="text-base font-semibold">
          {title}
        </h2>
        {description !== undefined && <p className="mt-1 text-sm text-muted">{description}</p>}
      </header>
      <div className="grid min-w-0 items-start gap-x-4 gap-y-5 sm:grid-cols-2">{children}</div>
    </section>
  );
}
