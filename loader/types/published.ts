/**
 * What a host sees of the protocol. The build prints this file's declarations from the schemas, as plain types:
 * a host that compiles against the loader needs none of our packages, and reads no schema in its editor.
 */
import type { MoreGiven, MoreResult } from '@latchkey/protocol/host'

export type {
  ClientConfig,
  ErrorCode,
  LinkedAccount,
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
export type SignedMessage = MoreResult<'signMessage'>
export type TransactionReceipt = MoreResult<'sendTransaction'>['receipt']
export type ConnectedWallet = MoreResult<'connectWallet'>['wallet']
export type FarcasterSigner = MoreResult<'requestFarcasterSigner'>
export type Funded = MoreResult<'fundWallet'>
export type FundingConfig = NonNullable<MoreGiven<'fundWallet'>['config']>
export type ForkedSession = MoreResult<'forkSession'>
