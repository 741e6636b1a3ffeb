import { assets, imports, projects } from '@riskboard/contract';
import { Boxes, FileUp, FolderPlus, Sheet } from 'lucide-react';
import type { ReactNode } from 'react';
import { pagesOf } from '../../../lib/entity/entity.ts';
import { useRefusal } from '../../../lib/session/use-refusal.ts';
import { LinkButton } from '../../../ui/button/link-button.tsx';
import { Card } from '../../../ui/layout/card.tsx';

interface StepProps {
  icon: ReactNode;
  title: string;
  text: string;
  action: ReactNode;
}

function Step({ icon, title, text, action }: StepProps) {
  return (
    <li className="flex flex-col gap-2 p-4 sm:p-5">
      <span className="flex size-9 items-center justify-center rounded bg-accent-soft text-accent-text">
        {icon}
      </span>
      <h3 className="text-base font-medium">{title}</h3>
      <p className="text-sm text-pretty text-muted">{text}</p>
      <div className="mt-auto pt-2">{action}</div>
    </li>
  );
}

/** Instead of the numbers of an organization without records: how to add the first ones. */
export function GetStarted({ upload }: { upload: ReactNode }) {
  const projectRefusal = useRefusal(projects.create.access);
  const refusal = useRefusal(assets.create.access);
  const importRefusal = useRefusal(imports.start.access);
  return (
    <Card title="Get started">
      <p className="px-4 pt-4 text-base text-muted sm:px-5">
        There are no threats, vulnerabilities or assets yet. Add the first ones, and this page shows your
        risk.
      </p>
      <ol className="grid grid-cols-1 divide-y lg:grid-cols-4 lg:divide-x lg:divide-y-0">
        <Step
          icon={<FolderPlus aria-hidden size={18} />}
          title="Create a project"
          text="Each asset belongs to a project."
          action={
            <LinkButton
              to={pagesOf('projects').create}
              state={{ returnTo: '/dashboard/overview' }}
              disabledReason={projectRefusal}
            >
              New project
            </LinkButton>
          }
        />
        <Step
          icon={<FileUp aria-hidden size={18} />}
          title="Upload a report"
          text="Vulnerabilities and threats are extracted from STIX and TAXII reports (.json or .xml)."
          action={upload}
        />
        <Step
          icon={<Boxes aria-hidden size={18} />}
          title="Add an asset"
          text="Relate vulnerabilities and threats to what you protect, and its risk is scored."
          action={
            <LinkButton to={pagesOf('assets').create} disabledReason={refusal}>
              New asset
            </LinkButton>
          }
        />
        <Step
          icon={<Sheet aria-hidden size={18} />}
          title="Import a list"
          text="Bring assets of a project, or vulnerabilities, from a CSV file. A preview shows what will change."
          action={
            <LinkButton to="/dashboard/assets/import" disabledReason={importRefusal}>
              Import assets
            </LinkButton>
          }
        />
      </ol>
    </Card>
  );
}
