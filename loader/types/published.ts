/**
 * What a host sees of the protocol. The build prints this file's declarations from the schemas, as plain types:
 * a host that compiles against the loader needs none of our packages, and reads no schema in its editor.
 */
import type { HostCallInput, HostCallResult } from '@latchkey/protocol/host'

export type {
  ClientConfig,
  ErrorCode,
  HostAccount as LinkedAccount,
  Linkable,
  LoginMethod,
  OAuthTokens,
  SendUi,
  SignUi,
  SocialProvider,
  TransactionRequest,
  User,
  WalletAccount,
} from '@latchkey/protocol'
export { LatchkeyError } from '@latchkey/protocol'
export type { LoginResult } from '@latchkey/protocol/host'
export type SignedMessage = HostCallResult<'signMessage'>
export type TransactionReceipt = HostCallResult<'sendTransaction'>['receipt']
export type ConnectedWallet = HostCallResult<'connectWallet'>['wallet']
export type FarcasterSigner = HostCallResult<'requestFarcasterSigner'>
export type Funded = HostCallResult<'fundWallet'>
export type FundingConfig = NonNullable<HostCallInput<'fundWallet'>['config']>
export type ForkedSession = HostCallResult<'forkSession'>
