/** What pages and libraries take for granted of a client and its wallet, as facts that any test runner proves. */
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
