import type { Project } from '@riskboard/contract';
import { ProgressBar } from '../../../ui/feedback/progress-bar.tsx';
import { Card } from '../../../ui/layout/card.tsx';
import { Fact, Facts } from '../../../ui/record/facts.tsx';
import { FieldFacts, arrangeFields } from '../../../ui/record/field-facts.tsx';
import { Reference } from '../../../ui/record/reference.tsx';
import { project } from '../project.ts';
import { ProjectStatusBadge } from '../status-badge.tsx';

const { essentials, facts, texts } = arrangeFields(project, {
  essentials: ['status', 'startDate', 'plannedEndDate'],
  facts: ['clientOrganizationName', 'rankingsName', 'rankingsReference', 'createdAt', 'updatedAt'],
  texts: ['description', 'objective', 'organizationStrategy'],
  elsewhere: ['name', 'progress', 'assets', 'threats', 'vulnerabilities'],
});

/** Long texts of a project's page. */
export const projectTexts = texts;

/** The fields of a project that are not long texts. */
export function ProjectFacts({ detail }: { detail: Project }) {
  const { status, progress, name, rankingsReference } = detail;
  return (
    <Card title="Facts">
      <Facts fields={[...essentials, ...facts]}>
        <FieldFacts names={['status']} values={{ status: <ProjectStatusBadge status={status} /> }} />
        <Fact label="Progress">
          <span className="flex h-6 items-center gap-2 tabular-nums">
            <ProgressBar label={`Progress of ${name}`} value={progress / 100} />
            <span className="w-10 shrink-0 text-right whitespace-nowrap">{progress}%</span>
          </span>
        </Fact>
        <FieldFacts names={essentials.filter((field) => field !== 'status')} />
        <FieldFacts names={facts} values={{ rankingsReference: <Reference text={rankingsReference} /> }} />
      </Facts>
    </Card>
  );
}
