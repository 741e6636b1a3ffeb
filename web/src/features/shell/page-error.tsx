import { useRouter, type ErrorComponentProps } from '@tanstack/react-router';
import { Card } from '../../ui/card.tsx';
import { ErrorState } from '../../ui/error-state.tsx';

/** Stands in the place of a page or section that failed; the frame around it stays. */
export function PageError({ error, reset }: ErrorComponentProps) {
  const router = useRouter();
  return (
    <div className="p-4">
      <Card>
        <ErrorState
          title="This page could not be shown."
          error={error}
          onRetry={() => {
            reset();
            void router.invalidate();
          }}
        />
      </Card>
    </div>
  );
}
