import { invitations } from '@riskboard/contract';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { call } from '../../lib/api/call.ts';
import { formRefusal } from '../../lib/form-refusal.ts';
import { Button } from '../../ui/button/button.tsx';
import { FormError } from '../../ui/input/form-error.tsx';

interface JoinFormProps {
  token: string;
  organization: string;
}

/** For the person whom the invitation means and who is signed in: one button. */
export function JoinForm({ token, organization }: JoinFormProps) {
  const queryClient = useQueryClient();
  const navigate = useNavigate();
  const join = useMutation({
    mutationFn: () => call(invitations.accept, { body: { token } }),
    async onSuccess() {
      // The session is another one now, in another organisation.
      queryClient.clear();
      await navigate({ to: '/dashboard' });
    },
  });
  return (
    <div className="flex flex-col gap-4">
      <FormError message={join.error === null ? null : formRefusal(join.error).form} />
      <Button variant="primary" size="lg" busy={join.isPending} onClick={() => join.mutate()}>
        {join.isPending ? 'Joining…' : `Join ${organization}`}
      </Button>
    </div>
  );
}
