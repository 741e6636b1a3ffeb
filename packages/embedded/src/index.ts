export { exitWithParent } from './child-process.ts';
export { type Cluster, type ClusterOptions, startCluster } from './cluster.ts';
export { isAlive } from './end-process.ts';
export { freePort } from './free-port.ts';
export { clearOrphan } from './orphan.ts';
export { provision } from './provision.ts';
