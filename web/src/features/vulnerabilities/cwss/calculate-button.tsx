import { cwss, type VulnerabilityDetail } from '@riskboard/contract';
import { Calculator } from 'lucide-react';
import { useCommands } from '../../../lib/browser/commands.ts';
import { calculationRequest } from '../../../lib/cwss/calculation-request.ts';
import { useRefusal } from '../../../lib/session/use-refusal.ts';
import { ButtonWithReason } from '../../../ui/button/button-with-reason.tsx';

/** Opens the 'Calculate CWSS' dialog for the vulnerability of the page, also from the palette. */
export function CalculateButton({ detail }: { detail: VulnerabilityDetail }) {
  const refusal = useRefusal(cwss.calculate.access);
  const open = () => calculationRequest.set({ record: detail });
  useCommands([
    {
      id: 'calculate cwss',
      group: 'This record',
      about: detail.name,
      label: 'Calculate CWSS',
      terms: 'score vignette',
      icon: <Calculator aria-hidden size={16} />,
      refusal,
      run: open,
    },
  ]);
  return (
    <ButtonWithReason icon={<Calculator aria-hidden size={14} />} disabledReason={refusal} onClick={open}>
      Calculate CWSS
    </ButtonWithReason>
  );
}
