/** Facts about a client and its wallet that pages and libraries rely on. Any test runner can verify them. */
export { type ClientFixture, clientFacts } from './client-facts.ts'
export { type ConnectorFixture, connectorFacts, type WagmiLibrary } from './connector-facts.ts'
export { ConformanceError, type Fact, type WalletUser } from './facts.ts'
export {
  type AnnouncementFixture,
  announcementFacts,
  type ProviderFixture,
  providerFacts,
  type TestedProvider,
} from './provider-facts.ts'
