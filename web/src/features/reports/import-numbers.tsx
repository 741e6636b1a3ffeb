import type { ImportReport } from '@riskboard/contract';
import { Link } from '@tanstack/react-router';
import { ArrowRight } from 'lucide-react';
import { plural } from '../../lib/format/format.ts';
import { Equation } from './equation.tsx';

/** The two sums of a report (contract, `ImportReport`) and what of it is in the lists now. */
export function ImportNumbers({ report }: { report: ImportReport }) {
  const { fileId, extracted } = report;
  return (
    <>
      <div className="grid gap-4 xl:grid-cols-[3fr_2fr]">
        <Equation
          label="objects in the file"
          total={report.objects}
          terms={[
            { label: 'mapped', count: report.mapped, tone: 'accent' },
            { label: 'not extracted', count: report.unmapped, tone: 'muted' },
            { label: 'failed', count: report.failed, tone: 'danger' },
            { label: 'superseded', count: report.superseded, tone: 'warning' },
          ]}
        />
        <Equation
          label="records found"
          total={report.records}
          terms={[
            { label: 'active', count: report.active, tone: 'accent' },
            { label: 'revoked', count: report.revoked, tone: 'warning' },
            { label: 'deprecated', count: report.deprecated, tone: 'muted' },
          ]}
        />
      </div>
      <p className="flex flex-wrap items-center gap-x-4 gap-y-1 text-sm text-muted">
        In the lists now:
        <Link
          to="/dashboard/reports/vulnerabilities"
          search={{ fileId }}
          className="inline-flex items-center gap-1 font-medium text-accent-text hover:underline"
        >
          {plural(extracted.vulnerabilities, 'vulnerability', 'vulnerabilities')}
          <ArrowRight aria-hidden size={14} />
        </Link>
        <Link
          to="/dashboard/reports/threats"
          search={{ fileId }}
          className="inline-flex items-center gap-1 font-medium text-accent-text hover:underline"
        >
          {plural(extracted.threats, 'threat')}
          <ArrowRight aria-hidden size={14} />
        </Link>
      </p>
    </>
  );
}
