import { useQuery } from '@tanstack/react-query';
import { Boxes, Bug, CircleCheck, CirclePause, CirclePlay, ShieldAlert } from 'lucide-react';
import { pagesOf } from '../../../lib/entity/entity.ts';
import { wholeList } from '../../../lib/list/list-state.ts';
import { MetricCards, StatCard } from '../../../ui/layout/stat-card.tsx';
import { projectMetricsQuery } from '../queries.ts';

/** The six cards of the project dashboard (spec 2); each opens the list that it counts. */
export function ProjectStats() {
  const query = useQuery(projectMetricsQuery);
  const { data } = query;
  const { list } = pagesOf('projects');
  return (
    <MetricCards label="Project metrics" query={query}>
      <StatCard
        to={list}
        search={{ status: ['active'] }}
        label="Active Projects"
        value={data?.active}
        detail="In progress"
        icon={<CirclePlay aria-hidden size={16} className="text-success" />}
      />
      <StatCard
        to={list}
        search={{ status: ['completed'] }}
        label="Completed"
        value={data?.completed}
        detail="Finished projects"
        icon={<CircleCheck aria-hidden size={16} className="text-info" />}
      />
      <StatCard
        to={list}
        search={{ status: ['on-hold'] }}
        label="On Hold"
        value={data?.onHold}
        detail="Paused projects"
        icon={<CirclePause aria-hidden size={16} className="text-warning" />}
      />
      <StatCard
        to={pagesOf('assets').list}
        search={{ view: wholeList }}
        label="Total Assets"
        value={data?.assets}
        detail="In all projects"
        icon={<Boxes aria-hidden size={16} />}
      />
      <StatCard
        to={pagesOf('threats').list}
        search={{ view: wholeList }}
        label="Total Threats"
        value={data?.threats}
        detail="Active and inactive"
        icon={<ShieldAlert aria-hidden size={16} />}
      />
      <StatCard
        to={pagesOf('vulnerabilities').list}
        search={{ view: wholeList }}
        label="Vulnerabilities"
        value={data?.vulnerabilities}
        detail="Of every status"
        icon={<Bug aria-hidden size={16} />}
      />
    </MetricCards>
  );
}
