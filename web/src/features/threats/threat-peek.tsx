import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { threatQuery } from '../../lib/record-queries.ts';
import { buttonStyle } from '../../ui/button-style.ts';
import { CopyButton } from '../../ui/copy-button.tsx';
import { RecordFields, Facts } from '../../ui/record/facts.tsx';
import { Passage } from '../../ui/record/passage.tsx';
import { RecordPeek } from '../../ui/record/record-peek.tsx';
import { useLast } from '../../ui/use-last.ts';
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
  const query = useQuery({ ...threatQuery(id ?? ''), enabled: id !== undefined });
  return (
    <RecordPeek
      {...props}
      query={query}
      title={({ name }) => name}
      failure="Error Loading Threat"
      footer={({ _id }) => (
        <>
          <Link
            to="/dashboard/threats/$id"
            params={{ id: _id }}
            className={buttonStyle({ variant: 'primary' })}
          >
            Open full page
          </Link>
          <CopyButton text={_id} label="Copy ID" />
        </>
      )}
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
