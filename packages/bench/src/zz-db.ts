import { startBenchDatabase } from './product.ts';
const d = await startBenchDatabase({ data: '/tmp/bdata' });
console.log(d.adminUrl);
setInterval(() => {}, 1e6);
