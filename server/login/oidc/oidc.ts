/** The parts of OpenID logins that the sign-in of operators shares. */
export { discover, metadataSchema } from './discovery.ts'
export { answerLogout, consumeLogoutToken, type LogoutClaims, refuseLogout } from './logout.ts'
export {
  createKeyCache,
  createOidcClient,
  hashProviderSession,
  unwrapClientSecret,
  wrapClientSecret,
} from './providers.ts'
