import { readEnvironment } from '@riskboard/contract/environment';
import { supervise } from './supervisor.ts';

process.exit(await supervise({ environment: readEnvironment() }));
