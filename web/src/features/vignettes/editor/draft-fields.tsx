import { Input } from '../../../ui/input/input.tsx';
import { Textarea } from '../../../ui/input/textarea.tsx';
import { draftTexts, type Draft, type DraftText } from './draft.ts';

interface FieldsProps {
  draft: Draft;
  onChange: (change: Partial<Draft>) => void;
  readOnly: boolean;
}

/** Most characters (schema of a vignette's content). */
const longest = { line: 200, text: 20_000 } as const;

interface LineProps extends FieldsProps {
  name: DraftText;
  hint?: string;
  required?: boolean;
}

const Line = ({ name, draft, onChange, ...props }: LineProps) => (
  <Input
    {...props}
    label={draftTexts[name]}
    value={draft[name]}
    onChange={(text) => onChange({ [name]: text })}
    maxLength={longest.line}
    autoComplete="off"
  />
);

interface LinesProps extends FieldsProps {
  name: DraftText;
  hint?: string;
  rows?: number;
}

const Lines = ({ name, draft, onChange, ...props }: LinesProps) => (
  <Textarea
    {...props}
    label={draftTexts[name]}
    value={draft[name]}
    onChange={(text) => onChange({ [name]: text })}
    maxLength={longest.text}
  />
);

/** What a vignette is called, and where it comes from. */
export const IdentityFields = (props: FieldsProps) => (
  <div className="grid gap-4 p-4 sm:grid-cols-2">
    <Line {...props} name="name" required />
    <Line {...props} name="scorecardName" hint="Blank: the name of the vignette." />
    <Line {...props} name="origin" hint="Who wrote it, such as your organization." />
    <div className="grid gap-4 min-[30rem]:grid-cols-2">
      <Line {...props} name="domain" />
      <Line {...props} name="maturity" />
    </div>
  </div>
);

/** What a vignette describes. */
export const ContextFields = (props: FieldsProps) => (
  <div className="grid gap-4 p-4 sm:grid-cols-2">
    <div className="flex flex-col gap-4">
      <Lines {...props} name="description" />
      <Lines {...props} name="businessValueContext" hint="What the organization depends on here." />
    </div>
    <div className="flex flex-col gap-4">
      <Lines {...props} name="archetypes" hint="One per line, such as Web server." />
      <Lines {...props} name="references" hint="One per line." />
    </div>
    <div className="sm:col-span-2">
      <Lines {...props} name="notes" />
    </div>
  </div>
);
