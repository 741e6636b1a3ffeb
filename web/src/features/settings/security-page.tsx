import { PasswordCard } from './password-card.tsx';
import { SecondFactorCard } from './second-factor-card.tsx';
import { SessionsCard } from './sessions-card.tsx';

/** What keeps others out of the account. */
export function SecurityPage() {
  return (
    <>
      <SecondFactorCard />
      <PasswordCard />
      <SessionsCard />
    </>
  );
}
