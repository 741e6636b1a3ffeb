import type { SampleProject } from './sample-asset.ts';

/** Ended last year; its appliances are still connected. */
export const customs: SampleProject = {
  name: 'Customs desk',
  description: 'One customs desk for three ports, shared with a carrier.',
  objective: 'Declarations of all ports from one desk.',
  status: 'completed',
  startDate: '2024-06-03',
  plannedEndDate: '2025-06-27',
  assets: [
    {
      name: 'Carrier VPN appliance',
      description: 'Ivanti appliance of the carrier that shares the desk',
      type: 3,
      levels: [3, 3, 3, 3],
      costs: [30_000, 5000],
      vulnerabilities: ['CVE-2023-46805', 'CVE-2024-21887'],
      threats: ['Copper Pallet'],
    },
    {
      name: 'Test VPN appliance',
      description: 'Pulse Secure appliance in the old data centre',
      type: 3,
      levels: [1, 2, 1, 1],
      costs: [5000, 5000],
      vulnerabilities: ['CVE-2019-11510'],
    },
    {
      name: 'Customs declarations',
      description: 'Declarations and certificates of all ports',
      type: 4,
      levels: [4, 5, 4, 3],
      costs: [150_000, 625_000],
      dependsOn: ['Carrier VPN appliance', 'Backup storage'],
    },
  ],
};
