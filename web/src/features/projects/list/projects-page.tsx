import { projects, type User } from '@riskboard/contract';
import { Plus } from 'lucide-react';
import type { ReactNode } from 'react';
import { useIsPainted } from '../../../lib/browser/first-paint.ts';
import { pagesOf } from '../../../lib/entity/entity.ts';
import { nameText } from '../../../lib/format/name-text.ts';
import { useRefusal } from '../../../lib/session/use-refusal.ts';
import { LinkButton } from '../../../ui/button/link-button.tsx';
import { PageHeader } from '../../../ui/layout/page-header.tsx';
import type { HowChanged } from '../../../ui/list/list-control.ts';
import { ProjectStats } from './project-stats.tsx';
import { ProjectsGrid } from './projects-grid.tsx';
import type { ProjectsSearch } from './projects-source.ts';

interface ProjectsPageProps {
  user: Pick<User, 'firstName' | 'organization'>;
  search: ProjectsSearch;
  onSearch: (search: ProjectsSearch, how?: HowChanged) => void;
  /** Starts an upload. */
  upload: ReactNode;
  /** Reports and jobs, below the projects. */
  strip: ReactNode;
}

/** First page after the login (spec 2, Project dashboard). */
export function ProjectsPage({ user, search, onSearch, upload, strip }: ProjectsPageProps) {
  const refusal = useRefusal(projects.create.access);
  const isPainted = useIsPainted();
  const newProject = (label: string) => (
    <LinkButton
      to={pagesOf('projects').create}
      variant="primary"
      icon={<Plus aria-hidden size={16} />}
      disabledReason={refusal}
    >
      {label}
    </LinkButton>
  );
  return (
    <>
      <PageHeader
        title={`Hello, ${nameText(user.firstName)}`}
        description={user.organization || 'Organization not set'}
        actions={
          <>
            {upload}
            {newProject('New project')}
          </>
        }
      />
      {isPainted && (
        <>
          <ProjectStats />
          <ProjectsGrid
            search={search}
            onSearch={onSearch}
            empty={{
              description: (
                <>
                  A project groups assets, so that you see what is at stake and what threatens it.
                  {refusal !== undefined && ` ${refusal}`}
                </>
              ),
              action: newProject('Create your first project'),
            }}
          />
          <div className="mt-6">{strip}</div>
        </>
      )}
    </>
  );
}
