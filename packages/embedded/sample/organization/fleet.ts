import type { SampleProject } from './sample-asset.ts';

/** Trucks; waits for new hardware. */
export const fleet: SampleProject = {
  name: 'Fleet telematics',
  description: 'Tracking of trucks and trailers. Waits for the delivery of new gateways.',
  objective: 'Replace the gateways that get no firmware any more.',
  status: 'on-hold',
  startDate: '2025-03-17',
  plannedEndDate: '2026-11-30',
  assets: [
    {
      name: 'Truck gateways',
      description: 'Linux gateways in 180 trucks that report position and temperature',
      type: 1,
      levels: [3, 2, 3, 3],
      costs: [150_000, 30_000],
      vulnerabilities: ['CVE-2022-0847', 'CVE-2016-5195'],
    },
    {
      name: 'Partner container registry',
      description: 'Container images that a partner builds for the truck gateways',
      type: 6,
      levels: [2, 2, 4, 2],
      costs: [5000, 5000],
      threats: ['Compromise Software Supply Chain'],
    },
    {
      name: 'Tracking service',
      description: 'Shows customers where their freight is',
      type: 6,
      levels: [4, 2, 3, 3],
      costs: [150_000, 30_000],
      dependsOn: ['Truck gateways', 'Partner container registry'],
    },
  ],
};
