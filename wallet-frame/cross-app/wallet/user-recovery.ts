/**
 * Recovers a wallet by a password, a passkey or a cloud. Secrets are sealed to the vault of this page. Loaded
 * on demand, because most wallets recover automatically.
 */
import { LatchkeyError, oauthLimits } from '@latchkey/protocol'
import { cloudWindowRoutes, recoveryPasskeyRoutes } from '@latchkey/protocol/api'
import {
  type CloudRecovery,
  type CloudSignIn,
  cloudCallbackPath,
  type OperationStep,
} from '@latchkey/protocol/wallet'
import type { Clock } from '../../clock.ts'
import { googleDrive, icloud } from '../../recovery/clouds.ts'
import { passkey } from '../../recovery/passkey/passkey.ts'
import { password } from '../../recovery/password/password.ts'
import type { RecoveryMethodPart } from '../../recovery/recovery-method.ts'
import { type CloudBrowser, type CloudWindow, prepareCloud } from '../../recovery-window/cloud-window.ts'
import { type Authenticator, deriveSecret } from '../../recovery-window/passkey.ts'
import type { StepCall, WalletPorts } from '../../shares/ports.ts'
import type { PublicApi } from '../../shares/transport.ts'
import { withSecret } from '../../vault/keys/secret-bytes.ts'
import { sealPasskeySecret, sealPassword } from '../../vault/shares/sealing.ts'
import type { CloudStep, SecretProblem, Show } from '../screen/state.ts'
import { canceled, waitForUser } from '../screen/user-answer.ts'
import type { Session } from '../session/session.ts'
import type { Bring, UserRecovery } from './bring-wallet.ts'

export type UserRecoveryPorts = {
  /** The origin of this page. */
  origin: string
  session: Pick<Session, 'api'>
  publicApi: PublicApi
  clock: Clock
  authenticator: Pick<Authenticator, 'get'>
  browser: CloudBrowser
  show: Show
}

/** Asks the user until the wallet is recovered or the user cancels. */
export function recoverByUser(
  ports: UserRecoveryPorts,
  recovery: UserRecovery,
  bring: Bring,
  signal: AbortSignal,
): Promise<string> {
  switch (recovery) {
    case 'user-passcode':
      return retryUntilRecovered((problem) => recoverByPassword(ports, bring, problem, signal))
    case 'passkey':
      return retryUntilRecovered((problem) => recoverByPasskey(ports, bring, problem, signal))
    case 'google-drive':
    case 'icloud':
      return retryUntilRecovered((problem) => recoverByCloud(ports, recovery, bring, problem, signal))
    default:
      return recovery satisfies never
  }
}

/** Tries again after each problem that another try may solve. */
async function retryUntilRecovered(
  attempt: (problem: SecretProblem | undefined) => Promise<string>,
): Promise<string> {
  for (let problem: SecretProblem | undefined; ; ) {
    try {
      return await attempt(problem)
    } catch (error) {
      problem = error instanceof LatchkeyError ? problems[error.code] : undefined
      if (problem === undefined) throw error
    }
  }
}

const problems: { readonly [code in LatchkeyError['code']]?: SecretProblem } = {
  invalid_recovery_pin: 'wrong',
  invalid_request_arguments: 'wrong',
  invalid_credentials: 'wrong',
  envelope_refused: 'wrong',
  share_mismatch: 'wrong',
  too_many_requests: 'too-many',
  passkey_not_allowed: 'not-given',
  not_supported: 'unable',
  oauth_user_denied: 'not-given',
  oauth_unexpected: 'failed',
  // An error of a cloud, with the reason in its details.
  error: 'failed',
}

async function recoverByPassword(
  { show }: UserRecoveryPorts,
  bring: Bring,
  problem: SecretProblem | undefined,
  signal: AbortSignal,
): Promise<string> {
  const typed = await waitForUser<string>(signal, (give, reject) =>
    show({ status: 'password', problem, give, cancel: () => reject(canceled()) }),
  )
  return bring(password, async (ports, call) => {
    const bytes = new Uint8Array(new TextEncoder().encode(typed.normalize('NFKC')))
    const seal = (key: string, step: OperationStep) =>
      withSecret(bytes, (secret) => sealPassword(key, secret, step))
    return { recoveryPassword: await seal(await getVaultKey(ports, call, password), call.operation) }
  })
}

async function recoverByPasskey(
  { session, authenticator, show }: UserRecoveryPorts,
  bring: Bring,
  problem: SecretProblem | undefined,
  signal: AbortSignal,
): Promise<string> {
  // Loads the options before the press, because browsers only prompt for a passkey soon after a press.
  const { options, salt } = await session.api(recoveryPasskeyRoutes.askRecoveryPasskey, { signal }, {})
  const { assertion, secret } = await waitForUser<Awaited<ReturnType<Authenticator['get']>>>(
    signal,
    (give, reject) =>
      show({
        status: 'passkey',
        problem,
        ask() {
          const result = authenticator.get(options, salt)
          show({ status: 'prompt' })
          result.then(give, reject)
        },
        cancel: () => reject(canceled()),
      }),
  )
  if (!secret)
    throw new LatchkeyError('not_supported', 'The passkey does not support the PRF extension on this device')
  return bring(passkey, async (ports, call) => {
    const key = await getVaultKey(ports, call, passkey)
    const sealed = await withSecret(deriveSecret(secret), (bytes) =>
      sealPasskeySecret(key, bytes, call.operation),
    )
    return { recoveryPasskey: { secret: sealed, authenticatorResponse: assertion } }
  })
}

async function recoverByCloud(
  ports: UserRecoveryPorts,
  cloud: CloudRecovery,
  bring: Bring,
  problem: SecretProblem | undefined,
  signal: AbortSignal,
): Promise<string> {
  const recoveryCloud = await signIn(ports, cloud, problem, signal)
  return bring(cloudMethods[cloud], async () => ({ recoveryCloud }))
}

const cloudMethods: { [cloud in CloudRecovery]: RecoveryMethodPart } = {
  'google-drive': googleDrive,
  icloud,
}

/**
 * Signs the user in to the cloud, in a window that opens on the press. A window that reads as closed may
 * still be open.
 */
async function signIn(
  { origin, publicApi, browser, clock, show }: UserRecoveryPorts,
  cloud: CloudRecovery,
  problem: SecretProblem | undefined,
  signal: AbortSignal,
): Promise<CloudSignIn> {
  show({ status: 'working' })
  const open = await prepareCloud[cloud](browser, async (holding) =>
    cloud === 'icloud'
      ? publicApi(cloudWindowRoutes.startIcloudRecovery, { signal }, { clientType: 'web' })
      : {
          ...(await publicApi(
            cloudWindowRoutes.startCloudRecovery,
            { signal },
            { redirectTo: origin + cloudCallbackPath, ...holding },
          )),
          origin: null,
        },
  )
  let cloudWindow: CloudWindow | undefined
  let stopWatching = () => {}
  try {
    return await waitForUser<CloudSignIn>(signal, (give, reject) => {
      function showStep(step: CloudStep) {
        show({
          status: 'cloud',
          cloud,
          step,
          problem: step === 'asking' ? problem : undefined,
          open: press,
          cancel: () => reject(canceled()),
        })
      }
      function press() {
        const window = open()
        if (!window) return showStep('blocked')
        cloudWindow?.stop()
        cloudWindow = window
        window.result.then(give, (error) => window === cloudWindow && reject(error))
        showStep('open')
        watch(window)
      }
      function watch(window: CloudWindow) {
        stopWatching()
        stopWatching = clock.after(oauthLimits.closedCheckMs, () => {
          if (window.isClosed()) showStep('closed')
          else watch(window)
        })
      }
      showStep('asking')
    })
  } finally {
    stopWatching()
    cloudWindow?.stop()
  }
}

const getVaultKey = async (
  { vault }: WalletPorts,
  { operation, signal }: StepCall,
  { operations: { recover: kind } }: RecoveryMethodPart,
) => (await vault.call('enter', { operation, kind }, signal)).publicKey
