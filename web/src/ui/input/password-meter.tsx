import { passwordStrength, shortest } from '../../lib/password-strength.ts';
import { ProgressBar } from '../feedback/progress-bar.tsx';

/** What a password must be, and how strong it is so far. */
export function PasswordMeter({ password }: { password: string }) {
  if (password === '') return `At least ${shortest} characters. A few unrelated words make a good one.`;
  const { word, tone, share } = passwordStrength(password);
  const missing = shortest - password.length;
  return (
    <div className="flex items-center gap-3">
      <ProgressBar label="Password strength" value={share} tone={tone} />
      <output className="shrink-0">{missing > 0 ? `${missing} more to go` : word}</output>
    </div>
  );
}
