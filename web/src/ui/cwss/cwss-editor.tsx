import {
  cwssFactors,
  cwssGroups,
  cwssOrder,
  type CwssChoices,
  type CwssFactor as FactorCode,
  type CwssGroup,
} from '@riskboard/domain';
import type { ReactNode } from 'react';
import { Card } from '../layout/card.tsx';
import { CwssFactor } from './cwss-factor.tsx';

interface CwssEditorProps {
  choices: CwssChoices;
  onChange: (choices: CwssChoices) => void;
  /** Entered texts of weights that cannot be used; without `onRefused` each field holds its own. */
  refused?: Partial<Record<FactorCode, string>>;
  onRefused?: (factor: FactorCode, text: string) => void;
  /** Below a factor, such as where its value comes from. */
  renderDetail?: (factor: FactorCode) => ReactNode;
}

const groups = Object.keys(cwssGroups) as CwssGroup[];

/** The 16 factors of CWSS in their three groups. */
export function CwssEditor({ choices, onChange, refused, onRefused, renderDetail }: CwssEditorProps) {
  return groups.map((group) => (
    <Card key={group} title={cwssGroups[group]}>
      <div className="divide-y">
        {cwssOrder
          .filter((factor) => cwssFactors[factor].group === group)
          .map((factor) => (
            <CwssFactor
              key={factor}
              factor={factor}
              choice={choices[factor]}
              detail={renderDetail?.(factor)}
              refused={refused?.[factor]}
              onRefused={(text) => onRefused?.(factor, text)}
              onChange={(choice) => onChange({ ...choices, [factor]: choice })}
            />
          ))}
      </div>
    </Card>
  ));
}
