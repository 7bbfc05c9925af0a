export {
  type Authentication,
  createLatchkeyServer,
  type LatchkeyServer,
  type LatchkeyServerOptions,
} from './requests/latchkey-server.ts'
export type { AccessToken } from './tokens/access-token.ts'
export { LatchkeyServerError, type LatchkeyServerErrorCode } from './tokens/errors.ts'
