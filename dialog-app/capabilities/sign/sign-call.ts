/** Signs a request after the user has read it, or without asking if the app and the server's limits allow that. */
import {
  type ChainType,
  findEmbeddedWallet,
  LatchkeyError,
  type SignUi,
  type WalletAccount,
} from '@latchkey/protocol'
import type { RelayedRequester } from '@latchkey/protocol/wallet'
import { createCall } from '../../app/screen-stack.ts'
import { requiresPage } from '../../approval/confirmed.ts'
import { rejectedError, unableToSign } from '../../approval/rejection.ts'
import type { Cancellable } from '../../browser/waiting.ts'
import type { CapabilityPorts } from '../../contract/capability.ts'
import { done, type Flow, failed } from '../../flow/flow.ts'
import { requireUser } from '../../host/require-user.ts'
import { appName, isDrawable, maySignSilently, type Settings } from '../../host/settings.ts'
import type { ConfirmedRequest } from '../../wallet/confirmed.ts'
import type { RequestFacts } from './request-screen.tsx'
import { requestScreen } from './screens.ts'
import { createSigningSteps } from './signing-steps.ts'
import { english } from './texts.arb'
import { blockedError, type Signed, type SignRequest, type ToSign } from './to-sign.ts'

type Opening = {
  /** The server's answer to the silent request. */
  answer?: ConfirmedRequest | undefined
  /** Runs when the user sees the request. */
  onStart?: () => void
}

export function createSignCall(
  ports: CapabilityPorts,
  { ui, window, relayed }: SignRequest,
  toSign: ToSign,
): Flow<Signed> {
  const { analytics, settings } = ports
  const { blocked, signer } = toSign
  const requester = relayed?.requester
  let failure: LatchkeyError | undefined

  return createCall<Signed>(
    ports,
    { kind: 'approval', onClose: () => failed(failure ?? rejectedError()) },
    async ({ open, settle, interrupt, signal }) => {
      const account = await requireWallet(ports, signer.chain, { signal })

      const openRequest = ({ answer, onStart = () => {} }: Opening = {}) =>
        open(requestScreen, {
          ports,
          account,
          toSign,
          requester,
          window,
          answer,
          onStart,
          facts: getRequestFacts({ ui, account, requester }, settings()),
          setFailure: (error) => {
            failure = error
          },
          onSigned(signed) {
            settle(done(signed))
            analytics(toSign.completed)
          },
        })

      if (blocked) {
        const outcome = openRequest()
        // The caller gets the error immediately, while the user reads the reason.
        analytics('possible_phishing_attempt')
        settle(failed(blockedError(blocked)))
        return outcome
      }
      if (requester || toSign.approval === 'page' || !maySignSilently(settings())) {
        return openRequest({ onStart: () => analytics(toSign.started) })
      }
      analytics(toSign.started)
      const answer = await confirmSilently()
      const signed = answer?.place === 'silent' ? await signSilently(answer) : undefined
      if (!signed) return openRequest({ answer: answer?.place === 'silent' ? undefined : answer })
      settle(done(signed))
      analytics(toSign.completed)
      return signed

      async function confirmSilently(): Promise<ConfirmedRequest | undefined> {
        const options = { signal, place: 'silent' } as const
        // The review meets and shows the same error.
        return ports.wallet
          .confirm(account.address, toSign.request(account.address), options)
          .catch(() => undefined)
      }

      /** Resolves with undefined if the limits were used up meanwhile, so that the user must be asked. */
      async function signSilently(confirmed: ConfirmedRequest): Promise<Signed | undefined> {
        const { connect, sign } = createSigningSteps(ports, toSign, account, { interrupt, signal })
        try {
          await connect()
          return await sign(confirmed)
        } catch (cause) {
          if (requiresPage(cause)) return undefined
          throw unableToSign(cause, english.problems.failed)
        }
      }
    },
  )
}

async function requireWallet(
  ports: CapabilityPorts,
  chain: ChainType,
  caller: Cancellable,
): Promise<WalletAccount> {
  const account = findEmbeddedWallet(await requireUser(ports, caller), chain)
  if (!account) throw new LatchkeyError('embedded_wallet_not_found', 'The user has no wallet to sign with')
  return account
}

type FactSources = {
  ui: SignUi | undefined
  account: WalletAccount
  requester: RelayedRequester | undefined
}

/** Returns the texts of the host, and the requester as far as the browser vouches for it. */
function getRequestFacts({ ui = {}, account, requester }: FactSources, settings: Settings): RequestFacts {
  return {
    title: ui.title,
    description: ui.description,
    buttonText: ui.buttonText,
    iconUrl: ui.iconUrl && isDrawable(ui.iconUrl, settings) ? ui.iconUrl : undefined,
    address: account.address,
    appName: requester?.name ?? appName(settings),
    origin: requester?.url ?? settings.hostOrigin,
    isRelayed: requester !== undefined,
  }
}
