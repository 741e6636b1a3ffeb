import { FieldName } from './facts.tsx';
import { Prose } from './prose.tsx';

interface PassageProps {
  label: string;
  field: string;
  text: string;
}

/** A long text of a record under its name. */
export function Passage({ label, field, text }: PassageProps) {
  return (
    <div className="flex flex-col gap-1 px-4 py-3">
      <h2 className="flex items-center gap-2 text-sm text-muted">
        <FieldName label={label} field={field} />
      </h2>
      <Prose text={text} label={label} />
    </div>
  );
}
