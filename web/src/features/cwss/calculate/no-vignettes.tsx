import { vignettes } from '@riskboard/contract';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { Plus, SlidersHorizontal } from 'lucide-react';
import { call } from '../../../lib/api/call.ts';
import { messageOf } from '../../../lib/api/errors.ts';
import { useRefusal } from '../../../lib/session/use-refusal.ts';
import { ButtonWithReason } from '../../../ui/button/button-with-reason.tsx';
import { loneLinkStyle } from '../../../ui/button/link-style.ts';
import { EmptyState } from '../../../ui/feedback/empty-state.tsx';
import { toast } from '../../../ui/feedback/toast.ts';

interface NoVignettesProps {
  search: string;
  /** Called when the user goes to the page of vignettes. */
  onLeave: () => void;
}

const vignettesPage: string = '/dashboard/reports/vignettes';

/** 'No vignettes available.' (spec 2), and how to get some; when a search finds nothing, only that. */
export function NoVignettes({ search, onLeave }: NoVignettesProps) {
  const queryClient = useQueryClient();
  const refusal = useRefusal(vignettes.addStarters.access);
  const { mutate, isPending } = useMutation({
    mutationFn: () => call(vignettes.addStarters),
    onError: (error) => void toast.error('Failed to add vignettes', messageOf(error, 'Please try again.')),
    onSettled: () => queryClient.invalidateQueries({ queryKey: ['vignettes'] }),
  });
  if (search !== '') return <EmptyState title={`No vignette matches “${search}”.`} />;
  return (
    <EmptyState
      icon={<SlidersHorizontal aria-hidden size={20} />}
      title="No vignettes available."
      description="A vignette rates how bad each technical impact is for your business. Start with those of Riskboard, or upload your own."
      action={
        <div className="flex flex-col items-center gap-3">
          <ButtonWithReason
            busy={isPending}
            disabledReason={refusal}
            icon={<Plus aria-hidden size={14} />}
            onClick={() => mutate()}
          >
            Add starter vignettes
          </ButtonWithReason>
          <Link to={vignettesPage} onClick={onLeave} className={loneLinkStyle}>
            Upload or write a vignette
          </Link>
        </div>
      }
    />
  );
}
