import { useQuery } from '@tanstack/react-query';
import { Maximize2 } from 'lucide-react';
import { useRef } from 'react';
import { threatQuery } from '../../lib/record-queries.ts';
import { LinkButton } from '../../ui/button/link-button.tsx';
import { RecordFields, Facts } from '../../ui/record/facts.tsx';
import { Passage } from '../../ui/record/passage.tsx';
import { RecordPeek } from '../../ui/record/record-peek.tsx';
import { useLast } from '../../lib/hooks/use-last.ts';
import { EditThreatLink } from './edit-threat-link.tsx';
import { ThreatEssentials } from './threat-essentials.tsx';

interface ThreatPeekProps {
  id: string | undefined;
  /** Rows of the page, in order. */
  ids: readonly string[];
  onId: (id: string | undefined) => void;
}

/** The essentials of a row beside its list. */
export function ThreatPeek(props: ThreatPeekProps) {
  const id = useLast(props.id);
  const page = useRef<HTMLAnchorElement>(null);
  const query = useQuery({ ...threatQuery(id ?? ''), enabled: id !== undefined });
  return (
    <RecordPeek
      {...props}
      query={query}
      title={({ name }) => name}
      failure="Error Loading Threat"
      page={
        id !== undefined && (
          <LinkButton
            ref={page}
            to="/dashboard/threats/$id"
            params={{ id }}
            variant="primary"
            icon={<Maximize2 aria-hidden size={14} />}
          >
            Open full page
          </LinkButton>
        )
      }
      focus={page}
      actions={id !== undefined && <EditThreatLink id={id} />}
    >
      {(detail) => (
        <RecordFields noun="threats" record={detail}>
          <Facts>
            <ThreatEssentials detail={detail} />
          </Facts>
          <div className="border-t">
            <Passage label="Description" field="description" text={detail.description} />
          </div>
        </RecordFields>
      )}
    </RecordPeek>
  );
}
