/**
 * The part of the protocol that hosts see. The build prints this file's declarations from the schemas as plain
 * types, so that hosts need none of our packages to compile and see no schemas in their editor.
 */
import type { HostCallInput, HostCallResult } from '@latchkey/protocol/host'

export type {
  ClientConfig,
  ErrorCode,
  HostAccount as LinkedAccount,
  Linkable,
  LoginMethod,
  OAuthTokens,
  OidcProvider,
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
