import { describeWorkerFaults } from './worker-faults.ts';

describeWorkerFaults('PostgreSQL', undefined);
