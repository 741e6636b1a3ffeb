import { mostReportRows, reportIntervals, reportTables, riskReport } from '@riskboard/contract';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Download, Printer } from 'lucide-react';
import { call } from '../../lib/api/call.ts';
import { messageOf } from '../../lib/api/errors.ts';
import { ApiLink } from '../../ui/button/api-link.tsx';
import { ErrorState } from '../../ui/feedback/error-state.tsx';
import { Notice } from '../../ui/feedback/notice.tsx';
import { Skeleton } from '../../ui/feedback/skeleton.tsx';
import { toast } from '../../ui/feedback/toast.ts';
import { ProjectPicker } from '../../ui/form/controls/project-picker.tsx';
import { Field } from '../../ui/input/field.tsx';
import { Segmented } from '../../ui/input/segmented.tsx';
import { Card } from '../../ui/layout/card.tsx';
import { PageHeader } from '../../ui/layout/page-header.tsx';
import { Time } from '../../ui/text/time.tsx';
import { reportProjectQuery, schedulesQuery } from './queries.ts';

type TableName = (typeof reportTables)[number];
type Interval = (typeof reportIntervals)[number];

const tableLabels: Readonly<Record<TableName, string>> = {
  numbers: 'Numbers',
  funnel: 'Funnel of open vulnerabilities',
  categories: 'Risk categories',
  exposure: 'Risk exposure trend',
  causes: 'Why the score moved',
  actions: 'What to do first',
  vulnerabilities: 'Open vulnerabilities',
  assets: 'Assets at risk',
  threats: 'Threats',
  sources: 'Sources',
};
/** The report of a project has no table about the overall score. */
const projectTables: readonly TableName[] = ['numbers', 'vulnerabilities', 'assets', 'threats', 'sources'];

const intervalLabels: Readonly<Record<Interval, string>> = {
  never: 'Never',
  week: 'Every week',
  month: 'Every month',
};

const dueDays: Readonly<Record<Interval, string>> = {
  never: '',
  week: 'every Monday',
  month: 'the first day of each month',
};

interface ReportPageProps {
  /** Undefined: the whole organization. */
  projectId: string | undefined;
  onProject: (id: string | undefined) => void;
}

/** Opens the printable risk report and its tables as CSV, and says when it is mailed. */
export function ReportPage({ projectId, onProject }: ReportPageProps) {
  const project = useQuery({ ...reportProjectQuery(projectId ?? ''), enabled: projectId !== undefined });
  const query = projectId === undefined ? '' : `?projectId=${projectId}`;
  const chosen =
    projectId === undefined ? null : { _id: projectId, name: project.data?.name ?? 'Loading the project' };
  return (
    <>
      <PageHeader
        title="Risk report"
        description="The numbers of the overview with their causes and the most urgent records, to print or to save as PDF."
        actions={
          <ApiLink
            href={`/api/overview/report${query}`}
            variant="primary"
            icon={<Printer aria-hidden size={14} />}
          >
            Open printable report
          </ApiLink>
        }
      />
      <div className="grid grid-cols-1 items-start gap-4 lg:grid-cols-2">
        <div className="flex flex-col gap-4">
          <Card title="Subject">
            <div className="flex flex-col gap-3 p-4">
              <Field label="Project" hint="Without a project the report is about the whole organization.">
                <ProjectPicker
                  value={chosen}
                  onChange={({ _id }) => onProject(_id)}
                  onClear={() => onProject(undefined)}
                  placeholder="Whole organization"
                />
              </Field>
              {project.isError && (
                <ErrorState
                  title="Failed to load the project"
                  error={project.error}
                  onRetry={() => void project.refetch()}
                />
              )}
            </div>
          </Card>
          <ScheduleCard projectId={projectId ?? null} />
        </div>
        <Card title="Tables as CSV">
          <p className="border-b px-4 py-2 text-sm text-muted">
            Tables of records have the first {mostReportRows} rows, the most urgent ones. The export of each
            list has all.
          </p>
          <ul className="divide-y">
            {(projectId === undefined ? reportTables : projectTables).map((table) => (
              <li key={table} className="flex items-center justify-between gap-3 px-4 py-2">
                <span>{tableLabels[table]}</span>
                <ApiLink
                  href={`/api/overview/report/table?table=${table}${projectId === undefined ? '' : `&projectId=${projectId}`}`}
                  download=""
                  aria-label={`Download ${tableLabels[table]} as CSV`}
                  size="sm"
                  icon={<Download aria-hidden size={14} />}
                >
                  CSV
                </ApiLink>
              </li>
            ))}
          </ul>
        </Card>
      </div>
    </>
  );
}

function ScheduleCard({ projectId }: { projectId: string | null }) {
  const queryClient = useQueryClient();
  const schedules = useQuery(schedulesQuery);
  const own = schedules.data?.schedules.find((schedule) => schedule.projectId === projectId);

  async function set(every: Interval): Promise<void> {
    try {
      await call(riskReport.schedule, { body: { projectId, every } });
      toast.success(
        every === 'never'
          ? 'The report is no longer emailed'
          : `You get the report ${intervalLabels[every].toLowerCase()}`,
      );
    } catch (error) {
      toast.error('Failed to change the schedule', messageOf(error, 'Please try again.'));
    }
    await queryClient.invalidateQueries({ queryKey: schedulesQuery.queryKey });
  }

  if (schedules.isError)
    return (
      <Card title="By email">
        <ErrorState
          title="Failed to load the schedule"
          error={schedules.error}
          onRetry={() => void schedules.refetch()}
        />
      </Card>
    );
  return (
    <Card title="By email">
      <div className="flex flex-col gap-3 p-4">
        <p className="text-muted">
          An email with the address of this report, to you only. It has no numbers in it: reading the report
          needs your session.
        </p>
        {schedules.data?.mail === false && <Notice>The operator has not set up a mail server.</Notice>}
        {schedules.isPending ? (
          <Skeleton width="100%" />
        ) : (
          <Segmented
            label="How often you get the report"
            items={reportIntervals.map((value) => ({ value, label: intervalLabels[value] }))}
            value={own?.every ?? 'never'}
            onChange={(every) => void set(every)}
          />
        )}
        {own?.nextAt != null && (
          <p className="text-sm text-muted">
            The next email is due on <Time value={own.nextAt} form="absolute" />: {dueDays[own.every]} at
            06:00 UTC.
          </p>
        )}
      </div>
    </Card>
  );
}
