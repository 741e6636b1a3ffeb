import type { Project } from '@riskboard/contract';
import { FileChartColumn } from 'lucide-react';
import type { ReactNode } from 'react';
import { LinkButton } from '../../../ui/button/link-button.tsx';
import { lazyPart, reserved } from '../../../ui/layout/lazy-part.tsx';
import { FieldTextsCard } from '../../../ui/record/field-facts.tsx';
import { RecordPage } from '../../../ui/record/record-page.tsx';
import { project } from '../project.ts';
import { ProjectStatusBadge } from '../status-badge.tsx';
import { ProjectFacts, projectTexts } from './project-facts.tsx';
import { RiskOverview } from './risk-overview.tsx';

// Chart and table: too large for the budget of the page (decision 18).
const ProjectRiskChart = lazyPart(
  async () => (await import('./project-risk-chart.tsx')).ProjectRiskChart,
  reserved('h-75'),
);

const ProjectRiskHistory = lazyPart(
  async () => (await import('./project-risk-history.tsx')).ProjectRiskHistory,
  reserved('h-90'),
);

const ProjectMap = lazyPart(
  async () => (await import('../map/project-map.tsx')).ProjectMap,
  reserved('h-162'),
);
const DeleteProject = lazyPart(async () => (await import('./delete-project.tsx')).DeleteProject);

interface ProjectPageProps {
  id: string;
  /** The list of its assets. */
  assets: ReactNode;
  /** Its activity, from the feature that owns the log. */
  activity: ReactNode;
}

const Badges = ({ detail }: { detail: Project }) => <ProjectStatusBadge status={detail.status} />;

const ReportLink = ({ detail }: { detail: Project }) => (
  <LinkButton
    to="/dashboard/report"
    search={{ projectId: detail._id }}
    icon={<FileChartColumn aria-hidden size={14} />}
  >
    Risk report
  </LinkButton>
);

function Side({ detail }: { detail: Project }) {
  return (
    <>
      <ProjectFacts detail={detail} />
      <ProjectRiskChart detail={detail} />
    </>
  );
}

/** One project (spec 2, Project detail). */
export function ProjectPage({ id, assets, activity }: ProjectPageProps) {
  return (
    <RecordPage
      entity={project}
      id={id}
      Badges={Badges}
      Facts={Side}
      Actions={ReportLink}
      DeleteDialog={DeleteProject}
    >
      {() => (
        <>
          <FieldTextsCard names={projectTexts} />
          <RiskOverview id={id} />
          <ProjectRiskHistory id={id} />
          {assets}
          <ProjectMap id={id} />
          {activity}
        </>
      )}
    </RecordPage>
  );
}
