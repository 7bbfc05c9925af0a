/** Secrets of webhooks, which hooks use too. */
export { webhookEnvironment } from './environment.ts'
export { createSecret, formatSecret, openSecret, signDelivery } from './signing.ts'
export { expireSecrets, findSecrets, insertSecret, removeSecrets } from './store.ts'
