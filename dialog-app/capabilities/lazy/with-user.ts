/** Capabilities for logged-in users, and capabilities that few pages use. */
import type { Capability } from '../../contract/capability.ts'
import { accountDeletion } from '../account-deletion/account-deletion.ts'
import { activity } from '../activity/activity.ts'
import { batch } from '../batch/batch.ts'
import { confirm } from '../confirm/confirm.ts'
import { connectedApps } from '../connected-apps/connected-apps.ts'
import { dappConnections } from '../dapp-connections/dapp-connections.ts'
import { delegation } from '../delegation/delegation.ts'
import { ethereum } from '../ethereum/ethereum.ts'
import { keyExport } from '../export/export.ts'
import { farcasterSigner } from '../farcaster-signer/farcaster-signer.ts'
import { fork } from '../fork/fork.ts'
import { funding } from '../funding/funding.ts'
import { hostLogin } from '../host-login/host-login.ts'
import { keyImport } from '../import/import.ts'
import { connectOrCreate } from '../landing/lazy/connect-or-create/connect-or-create.ts'
import { logInAgain } from '../landing/lazy/log-in-again/log-in-again.ts'
import { linking } from '../linking/linking.ts'
import { mfa } from '../mfa/mfa.ts'
import { notices } from '../notices/notices.ts'
import { ownSessions } from '../own-sessions/own-sessions.ts'
import { recovery } from '../recovery/recovery.ts'
import { send } from '../send/send.ts'
import { sign } from '../sign/sign.ts'
import { signedIn } from '../signed-in/signed-in.ts'
import { noWallets } from '../siwe/no-wallets.ts'

export const withUser = [
  activity,
  batch,
  connectedApps,
  confirm,
  connectOrCreate,
  dappConnections,
  delegation,
  ethereum,
  farcasterSigner,
  fork,
  funding,
  hostLogin,
  keyExport,
  keyImport,
  linking,
  logInAgain,
  mfa,
  notices,
  noWallets,
  ownSessions,
  recovery,
  sign,
  send,
  accountDeletion,
  signedIn,
] as const satisfies readonly (Capability & { comes?: never })[]
