export { hostOf, isPublicAddress, webhookUrlProblem } from './address.ts';
export { createWebhookVault, newWebhookSecret, secretHint } from './secret.ts';
