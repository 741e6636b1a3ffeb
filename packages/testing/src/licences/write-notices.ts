import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { thirdPartyNotices } from './notices.ts';
import { root } from './shipped-packages.ts';

writeFileSync(join(root, 'THIRD-PARTY-NOTICES'), thirdPartyNotices());
