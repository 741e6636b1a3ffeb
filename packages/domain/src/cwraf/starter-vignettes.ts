import type { Vignette } from './read-vignette.ts';
import { governmentPortal } from './starters/government-portal.ts';
import { medicalDevice } from './starters/medical-device.ts';
import { multiTenantService } from './starters/multi-tenant-service.ts';
import { onlineBanking } from './starters/online-banking.ts';
import { retailWebShop } from './starters/retail-web-shop.ts';
import { scada } from './starters/scada.ts';

/** Vignettes that a new organization begins with. They are ours, not MITRE's, and say so in origin and notes. */
export const starterVignettes: readonly Vignette[] = [
  retailWebShop,
  onlineBanking,
  scada,
  medicalDevice,
  multiTenantService,
  governmentPortal,
];
