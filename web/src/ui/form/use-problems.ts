import { useEffect, useMemo, useState } from 'react';
import { schemasNow, loadSchemas } from '../../lib/schemas.ts';
import type { FormSpec } from './form-spec.ts';

/** Remembers the last answer: every field asks for the same values. */
function lastOf<In, Out>(work: (input: In) => Out): (input: In) => Out {
  let last: { input: In; output: Out } | undefined;
  return (input) => {
    if (last === undefined || last.input !== input) last = { input, output: work(input) };
    return last.output;
  };
}

/**
 * What is wrong with a form's values, by field. The schemas come while the form is read; until then nothing is wrong,
 * so whoever sends waits for `loadSchemas` first.
 */
export function useProblems<Values extends object>(
  spec: Pick<FormSpec<Values, never, unknown>, 'problemsOf'>,
) {
  const [schemas, setSchemas] = useState(schemasNow);

  useEffect(() => {
    let gone = false;
    const take = async () => {
      const loaded = await loadSchemas();
      if (!gone) setSchemas(loaded);
    };
    void take();
    return () => {
      gone = true;
    };
  }, []);

  return useMemo(
    () => lastOf((values: Values) => (schemas === undefined ? {} : spec.problemsOf(values, schemas))),
    [spec, schemas],
  );
}
