import { PasswordField } from '../../ui/input/password-field.tsx';

interface OwnPasswordFieldProps {
  value: string;
  onChange: (password: string) => void;
  error: string | undefined;
}

/** Password of the signed-in user, for actions that someone at an unlocked screen must not be able to take. */
export function OwnPasswordField(props: OwnPasswordFieldProps) {
  return <PasswordField {...props} label="Your password" name="password" autoComplete="current-password" />;
}
