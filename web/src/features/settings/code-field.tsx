import { Input } from '../../ui/input/input.tsx';

interface CodeFieldProps {
  value: string;
  onChange: (code: string) => void;
  error: string | undefined;
}

/** Code of the second factor, for changes of the account that need more than the password. */
export function CodeField(props: CodeFieldProps) {
  return (
    <Input
      {...props}
      label="Authenticator code"
      name="code"
      autoComplete="one-time-code"
      autoCapitalize="none"
      spellCheck={false}
      hint="Six digits from your authenticator app, or a recovery code."
    />
  );
}
