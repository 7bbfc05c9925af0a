/**
 * What a host sees of the protocol. The build prints this file's declarations from the schemas, as plain types:
 * a host that compiles against the loader needs none of our packages, and reads no schema in its editor.
 */
import type { CallOutput } from '@latchkey/protocol'
import type { HostContract, LoginResult } from '@latchkey/protocol/host'

export type { ClientConfig, ErrorCode, LinkedAccount, SignUi, WalletAccount } from '@latchkey/protocol'
export { LatchkeyError } from '@latchkey/protocol'
export type { LoginResult } from '@latchkey/protocol/host'
export type User = LoginResult['user']
export type SignedMessage = CallOutput<HostContract['child']['signMessage']>
