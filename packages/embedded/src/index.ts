export { exitWithParent } from './process/child-process.ts';
export { type Cluster, type ClusterOptions, startCluster } from './database/cluster.ts';
export { isAlive } from './process/end-process.ts';
export { freePort } from './process/free-port.ts';
export { clearOrphan } from './database/orphan.ts';
export { provision } from './database/provision.ts';
