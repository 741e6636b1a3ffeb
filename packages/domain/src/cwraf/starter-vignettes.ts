import { impactLayers, technicalImpacts, type TechnicalImpact } from './impacts.ts';
import type { Vignette } from './read-vignette.ts';
import type { ScorecardCell } from './technical-impact.ts';

/** Ratings at System, Application, Network and Enterprise, 0-10; null is not rated. The note explains the highest. */
type Row = readonly [
  system: number | null,
  application: number | null,
  network: number | null,
  enterprise: number | null,
  note: string,
];

/** Rows in the order of `technicalImpacts`. */
type Rows = readonly [Row, Row, Row, Row, Row, Row, Row, Row];

function cellsOf(rows: Rows): ScorecardCell[] {
  return rows.flatMap((row, at) => {
    const impact = technicalImpacts[at] as TechnicalImpact;
    const ratings = row.slice(0, impactLayers.length) as (number | null)[];
    const highest = Math.max(...ratings.map((one) => one ?? -1));
    return impactLayers.flatMap((layer, column) => {
      const subscore = ratings[column] ?? null;
      if (subscore === null) return [];
      return [{ impact, layer, subscore, notes: subscore === highest ? row[4] : '' }];
    });
  });
}

const origin = 'Riskboard. Not a vignette of MITRE.';

function starter(
  about: Pick<Vignette, 'name' | 'description' | 'domain' | 'archetypes' | 'businessValueContext'>,
  rows: Rows,
): Vignette {
  return {
    ...about,
    scorecardName: `${about.name} scorecard`,
    maturity: 'draft',
    notes: '',
    references: [],
    origin,
    scorecard: cellsOf(rows),
  };
}

/** Vignettes that an organization can start from. The ratings are ours. */
export const starterVignettes: readonly Vignette[] = [
  starter(
    {
      name: 'Retail web shop',
      description: 'A shop on the internet with customer accounts, orders and card payments.',
      domain: 'E-commerce',
      archetypes: ['Web server', 'Database', 'Web browser'],
      businessValueContext:
        'Card and customer data must stay confidential; orders and prices must be right. An hour offline costs sales.',
    },
    [
      [8, 9, null, 7, 'Changed prices or orders cost money at once.'],
      [7, 9, null, 7, 'Card and customer data must be reported when they leak.'],
      [5, 6, null, 5, 'Abandoned orders.'],
      [5, 6, 6, 5, 'The shop is offline in the busiest hours.'],
      [10, 9, null, 9, 'Card skimmers and ransomware begin here.'],
      [8, 8, null, 8, 'Orders in the name of customers.'],
      [6, 7, 6, 6, 'Fraud checks no longer work.'],
      [5, 5, null, 5, 'Fraud is found late.'],
    ],
  ),
  starter(
    {
      name: 'Online banking',
      description: 'Accounts, transfers and signatures of bank customers in web and app.',
      domain: 'Banking and finance',
      archetypes: ['Web application', 'Mobile application', 'Database'],
      businessValueContext:
        'No transfer without the will of the customer; every transfer can be proven. Supervisors expect availability.',
    },
    [
      [9, 10, null, 9, 'A changed transfer is lost money.'],
      [7, 9, null, 8, 'Banking secrecy.'],
      [6, 7, null, 7, 'Transfers that are half done.'],
      [6, 7, 7, 7, 'Outages are reported to the supervisor.'],
      [10, 10, null, 10, 'Transfers by an attacker.'],
      [9, 10, null, 9, 'Transfers in the name of a customer.'],
      [8, 9, 7, 8, 'A bypassed second factor.'],
      [7, 8, null, 7, 'A disputed transfer cannot be proven.'],
    ],
  ),
  starter(
    {
      name: 'SCADA',
      description: 'Supervision and control of an industrial process, such as water, energy or chemistry.',
      domain: 'Industrial control',
      archetypes: ['Programmable controller', 'Operator console', 'Field network'],
      businessValueContext:
        'People and environment first. The process must run and stop as intended; its data are hardly confidential.',
    },
    [
      [10, 10, 9, 7, 'Wrong set points can hurt people.'],
      [3, 3, 4, 4, 'Recipes and plans of the plant.'],
      [9, 9, 8, 6, 'The process stops in an unknown state.'],
      [7, 7, 8, 5, 'Operators no longer see the process.'],
      [10, 10, null, 8, 'Control of the process.'],
      [9, 9, 8, 7, 'Commands in the name of an operator.'],
      [9, 9, 8, 6, 'Interlocks and alarms no longer protect.'],
      [8, 8, 6, 5, 'Operators see a process that is not the real one.'],
    ],
  ),
  starter(
    {
      name: 'Medical device',
      description: 'A networked device that treats or monitors patients, with its programmer.',
      domain: 'Health care',
      archetypes: ['Embedded device', 'Radio link', 'Service computer'],
      businessValueContext: 'Harm to a patient is the worst outcome; health data come next.',
    },
    [
      [10, 10, 7, 6, 'A changed dose harms the patient.'],
      [5, 7, 6, 7, 'Health data.'],
      [9, 9, 6, 5, 'Treatment stops.'],
      [8, 7, 6, 5, 'An empty battery ends the treatment.'],
      [10, 10, null, 8, 'Control of the treatment.'],
      [9, 9, 6, 7, 'Commands in the name of a physician.'],
      [9, 9, 6, 6, 'Dose limits no longer protect.'],
      [7, 7, null, 5, 'A changed treatment is not noticed.'],
    ],
  ),
  starter(
    {
      name: 'SaaS, several tenants',
      description: 'One service that keeps the data of many customers apart.',
      domain: 'Software as a service',
      archetypes: ['Web application', 'Application interface', 'Database', 'Container platform'],
      businessValueContext:
        'A customer must never see or change the data of another. Availability is in the contract.',
    },
    [
      [8, 9, null, 9, 'Data of several customers are changed.'],
      [8, 10, null, 9, 'One customer reads the data of another.'],
      [6, 6, null, 6, 'Failed requests of all customers.'],
      [6, 7, 7, 7, 'One customer slows down all others.'],
      [10, 9, null, 10, 'Every tenant is affected.'],
      [9, 10, null, 9, 'Access to another tenant.'],
      [8, 9, 7, 8, 'The separation of tenants no longer protects.'],
      [6, 7, null, 6, 'The breach of one tenant cannot be limited.'],
    ],
  ),
  starter(
    {
      name: 'Government portal',
      description: 'Applications, notices and registers of citizens on the internet.',
      domain: 'Government',
      archetypes: ['Web application', 'Document archive', 'Identity provider'],
      businessValueContext:
        'Registers must be right and notices genuine; citizens cannot choose another provider.',
    },
    [
      [8, 10, null, 8, 'A register that is wrong has legal effect.'],
      [7, 9, null, 8, 'Data that citizens must give.'],
      [4, 5, null, 4, 'Applications are lost.'],
      [4, 6, 6, 5, 'Deadlines cannot be met.'],
      [9, 9, null, 9, 'Genuine notices from an attacker.'],
      [8, 9, null, 9, 'Applications in the name of a citizen.'],
      [7, 8, 6, 7, 'Checks of identity no longer protect.'],
      [6, 7, null, 6, 'Decisions cannot be proven.'],
    ],
  ),
];
