/**
 * A wallet that its user keeps the way back to, by a password, a passkey or a cloud. What they type or touch is sealed to
 * the vault of this page. Most wallets need none of this, so it comes when it is asked for.
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
import { type Authenticator, derivedSecret } from '../../recovery-window/passkey.ts'
import type { StepCall, WalletPorts } from '../../shares/ports.ts'
import type { PublicApi } from '../../shares/transport.ts'
import { withSecret } from '../../vault/keys/secret-bytes.ts'
import { sealPasskeySecret, sealPassword } from '../../vault/shares/sealing.ts'
import type { CloudStep, SecretProblem, Show } from '../screen/state.ts'
import { answerOfUser, canceled } from '../screen/user-answer.ts'
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

/** Asks until the wallet is here, or its user does not want to. */
export function recoverByUser(
  ports: UserRecoveryPorts,
  recovery: UserRecovery,
  bring: Bring,
  signal: AbortSignal,
): Promise<string> {
  switch (recovery) {
    case 'user-passcode':
      return untilRight((problem) => byPassword(ports, bring, problem, signal))
    case 'passkey':
      return untilRight((problem) => byPasskey(ports, bring, problem, signal))
    case 'google-drive':
    case 'icloud':
      return untilRight((problem) => byCloud(ports, recovery, bring, problem, signal))
    default:
      return recovery satisfies never
  }
}

/** Asks again after each problem that another try may solve. */
async function untilRight(attempt: (problem: SecretProblem | undefined) => Promise<string>): Promise<string> {
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
  // Of a cloud: its details say why.
  error: 'failed',
}

async function byPassword(
  { show }: UserRecoveryPorts,
  bring: Bring,
  problem: SecretProblem | undefined,
  signal: AbortSignal,
): Promise<string> {
  const typed = await answerOfUser<string>(signal, (give, reject) =>
    show({ status: 'password', problem, give, cancel: () => reject(canceled()) }),
  )
  return bring(password, async (ports, call) => {
    const bytes = new Uint8Array(new TextEncoder().encode(typed.normalize('NFKC')))
    const seal = (key: string, step: OperationStep) =>
      withSecret(bytes, (secret) => sealPassword(key, secret, step))
    return { recoveryPassword: await seal(await vaultKeyOf(ports, call, password), call.operation) }
  })
}

async function byPasskey(
  { session, authenticator, show }: UserRecoveryPorts,
  bring: Bring,
  problem: SecretProblem | undefined,
  signal: AbortSignal,
): Promise<string> {
  // It is there when its user presses: a browser asks for a passkey soon after a press alone.
  const { options, salt } = await session.api(recoveryPasskeyRoutes.askRecoveryPasskey, { signal }, {})
  const { assertion, secret } = await answerOfUser<Awaited<ReturnType<Authenticator['get']>>>(
    signal,
    (give, reject) =>
      show({
        status: 'passkey',
        problem,
        ask() {
          const given = authenticator.get(options, salt)
          show({ status: 'prompt' })
          given.then(give, reject)
        },
        cancel: () => reject(canceled()),
      }),
  )
  if (!secret) throw new LatchkeyError('not_supported', 'The passkey gives no secret on this device')
  return bring(passkey, async (ports, call) => {
    const key = await vaultKeyOf(ports, call, passkey)
    const sealed = await withSecret(derivedSecret(secret), (bytes) =>
      sealPasskeySecret(key, bytes, call.operation),
    )
    return { recoveryPasskey: { secret: sealed, authenticatorResponse: assertion } }
  })
}

async function byCloud(
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

/** In the cloud's own window, which opens in the press. One that reads as closed may be open. */
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
  let opened: CloudWindow | undefined
  let callOff = () => {}
  try {
    return await answerOfUser<CloudSignIn>(signal, (give, reject) => {
      function put(step: CloudStep) {
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
        if (!window) return put('blocked')
        opened?.stop()
        opened = window
        window.given.then(give, (error) => window === opened && reject(error))
        put('open')
        watch(window)
      }
      function watch(window: CloudWindow) {
        callOff()
        callOff = clock.after(oauthLimits.closedCheckMs, () => {
          if (window.isClosed()) put('closed')
          else watch(window)
        })
      }
      put('asking')
    })
  } finally {
    callOff()
    opened?.stop()
  }
}

const vaultKeyOf = async (
  { vault }: WalletPorts,
  { operation, signal }: StepCall,
  { operations: { recover: kind } }: RecoveryMethodPart,
) => (await vault.call('enter', { operation, kind }, signal)).publicKey
