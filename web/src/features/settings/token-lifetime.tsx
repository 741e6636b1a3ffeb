import { tokenDays } from '@riskboard/contract';
import { formatDate } from '../../lib/format/format.ts';
import { Button } from '../../ui/button/button.tsx';
import { Input } from '../../ui/input/input.tsx';
import { useNow } from '../../lib/hooks/use-now.ts';

const presets = [7, 30, tokenDays.standard, tokenDays.most] as const;
const dayLength = 86_400_000;

interface TokenLifetimeProps {
  /** Days, as typed. */
  days: string;
  onChange: (days: string) => void;
  error: string | undefined;
}

/** How many days a token lives, and until when that is. */
export function TokenLifetime({ days, onChange, error }: TokenLifetimeProps) {
  const now = useNow();
  const count = Number(days);
  const valid = Number.isInteger(count) && count >= tokenDays.least && count <= tokenDays.most;
  return (
    <div className="flex flex-col gap-2">
      <Input
        label="Expires after (days)"
        name="expiresInDays"
        inputMode="numeric"
        autoComplete="off"
        value={days}
        onChange={(text) => onChange(text.replaceAll(/\D/gu, '').slice(0, 4))}
        error={error === undefined ? undefined : `Enter ${tokenDays.least} to ${tokenDays.most} days.`}
        hint={
          valid
            ? `Valid until ${formatDate(new Date(now + count * dayLength).toISOString())}.`
            : `${tokenDays.least} to ${tokenDays.most} days.`
        }
      />
      <fieldset className="flex flex-wrap gap-2">
        <legend className="sr-only">Usual lifetimes</legend>
        {presets.map((preset) => (
          <Button
            key={preset}
            size="sm"
            aria-pressed={count === preset}
            onClick={() => onChange(String(preset))}
            className="aria-pressed:border-accent aria-pressed:bg-accent-soft aria-pressed:text-accent-text"
          >
            {preset} days
          </Button>
        ))}
      </fieldset>
    </div>
  );
}
