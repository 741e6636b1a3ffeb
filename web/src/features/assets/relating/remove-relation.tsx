import { assets } from '@riskboard/contract';
import { Unlink } from 'lucide-react';
import { focusPeer } from '../../../lib/browser/page-focus.ts';
import { useRefusal } from '../../../lib/session/use-refusal.ts';
import { IconButton } from '../../../ui/button/icon-button.tsx';
import { type RelatedNoun, useRelate } from './relations.ts';

interface RemoveRelationProps {
  assetId: string;
  noun: RelatedNoun;
  record: { _id: string; name: string };
}

/** 'Remove relation' of one related record; its toast offers Undo. */
export function RemoveRelation({ assetId, noun, record: { _id, name } }: RemoveRelationProps) {
  const relate = useRelate(assetId);
  return (
    <IconButton
      size="sm"
      label={`Remove relation to ${name}`}
      icon={<Unlink aria-hidden size={14} />}
      disabled={relate.isPending}
      disabledReason={useRefusal(assets.relate.access)}
      data-peer=""
      onClick={({ currentTarget }) => {
        focusPeer(currentTarget, () => currentTarget.closest<HTMLElement>('[data-peers]')?.focus());
        relate.mutate({ remove: { [noun]: [_id] } });
      }}
    />
  );
}
