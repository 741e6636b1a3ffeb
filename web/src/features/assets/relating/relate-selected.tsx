import { plural } from '@riskboard/domain';
import { Link2 } from 'lucide-react';
import { useState } from 'react';
import { useUpdateMany } from '../../../lib/entity/mutations.ts';
import { useRefusal } from '../../../lib/session/use-refusal.ts';
import { ButtonWithReason } from '../../../ui/button/button-with-reason.tsx';
import type { Selected } from '../../../ui/list/use-selection.ts';
import { Menu, MenuItem } from '../../../ui/popup/menu.tsx';
import { asset } from '../asset.ts';
import { RelateDialog } from './relate-dialog.tsx';
import { noSuggestions, relatedNouns, type RelatedNoun } from './relations.ts';

const fieldOf = { threats: 'addThreats', vulnerabilities: 'addVulnerabilities' } as const;

/** 'Relate…' of the list's selection bar: relates threats or vulnerabilities to every selected asset. */
export function RelateSelected({ selected }: { selected: Selected }) {
  const [noun, setNoun] = useState<RelatedNoun>();
  const refusal = useRefusal(asset.calls.updateMany.access);
  const { mutateAsync } = useUpdateMany(asset);
  const { count, selection, clear } = selected;

  async function relate(ids: string[], one: RelatedNoun): Promise<void> {
    await mutateAsync({ selection, change: { [fieldOf[one]]: ids } });
    clear();
  }

  const button = (
    <ButtonWithReason size="sm" icon={<Link2 aria-hidden size={14} />} disabledReason={refusal}>
      Relate…
    </ButtonWithReason>
  );
  return (
    <>
      {refusal === undefined ? (
        <Menu align="start" trigger={button}>
          {relatedNouns.map((one) => (
            <MenuItem key={one} onSelect={() => setNoun(one)}>
              Relate {one}
            </MenuItem>
          ))}
        </Menu>
      ) : (
        button
      )}
      {noun !== undefined && (
        <RelateDialog
          noun={noun}
          target={`all of the ${plural(count, 'selected asset')}`}
          suggestions={noSuggestions}
          onRelate={(ids) => relate(ids, noun)}
          onClose={() => setNoun(undefined)}
        />
      )}
    </>
  );
}
