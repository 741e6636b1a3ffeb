import { booking } from './booking.ts';
import { customs } from './customs.ts';
import { fleet } from './fleet.ts';
import { office } from './office.ts';
import type { SampleProject } from './sample-asset.ts';
import { terminal } from './terminal.ts';
import { warehouse } from './warehouse.ts';

/** Projects of the demo organization, an invented logistics company. */
export const sampleProjects: readonly SampleProject[] = [
  terminal,
  booking,
  warehouse,
  office,
  fleet,
  customs,
];
