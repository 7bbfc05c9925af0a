/** Sends a transaction after the user has reviewed it, or without asking if the app and the server's limits allow that. */
import { findEmbeddedWallet, LatchkeyError } from '@latchkey/protocol'
import { getChain } from '@latchkey/protocol/chains'
import { createCall } from '../../app/screen-stack.ts'
import { requiresPage } from '../../approval/confirmed.ts'
import { isRefusal } from '../../approval/rejection.ts'
import { createRpc } from '../../chains/rpc.ts'
import { done, type Flow } from '../../flow/flow.ts'
import { requireUser } from '../../host/require-user.ts'
import { appName, maySignSilently, type Settings } from '../../host/settings.ts'
import type { ConfirmedRequest } from '../../wallet/confirmed.ts'
import { createAttempts } from './attempts.ts'
import type { SendFacts } from './screens/send-screen.tsx'
import { sendScreen } from './screens.ts'
import { type CheckedTransaction, createSendSteps, type Reviewed, type SendPorts } from './send-steps.ts'
import { readTransaction, type SendRequest, type Sent, unsupportedChain } from './transaction.ts'

/** Rejects a transaction that cannot be sent, before a screen is shown. */
export async function checkTransaction(
  ports: SendPorts,
  request: SendRequest,
  signal: AbortSignal,
): Promise<CheckedTransaction> {
  const account = findEmbeddedWallet(await requireUser(ports, { signal }))
  if (!account) throw new LatchkeyError('embedded_wallet_not_found', 'The user has no wallet to send with')
  const settings = ports.settings()
  const { checksummed } = await ports.load(() => import('./lazy/ethereum.ts'))
  const wallet = { wallet: account.address, checksummed }
  const transaction = readTransaction(request.transaction, wallet, settings)
  const chain = getChain(settings.app, transaction.chainId)
  const urls = settings.app.rpcUrls[String(transaction.chainId)]
  if (!urls) throw unsupportedChain(transaction.chainId)
  // A node of the host page could make the review show a different transaction.
  const hostUrl = settings.config.rpcUrls?.[String(chain.id)]
  if (hostUrl !== undefined && !urls.includes(hostUrl)) {
    throw new LatchkeyError('not_supported', 'Chains are asked at the addresses of the app, not of the page')
  }
  return { account, transaction, chain, rpc: createRpc(urls, ports) }
}

type Opening = {
  preparation: Promise<Reviewed>
  /** The server's answer to the silent request. */
  answer?: ConfirmedRequest
}

export function createSendCall(
  ports: SendPorts,
  checked: CheckedTransaction,
  request: SendRequest,
): Flow<Sent> {
  const { wallet, settings } = ports
  const { answerWhen = 'confirmed', window, relayed } = request
  const { address } = checked.account
  const requester = relayed?.requester
  const attempts = createAttempts(checked.transaction)

  return createCall<Sent>(
    ports,
    { kind: 'approval', onClose: attempts.getClosingEnding, whatIsDone: attempts.getFinalEnding },
    async ({ open, settle, interrupt, after, signal }) => {
      const steps = createSendSteps(ports, checked, attempts, { interrupt, after, signal })
      const prepare = () => {
        const preparation = steps.prepare()
        // The screen handles the error when it opens.
        preparation.catch(() => {})
        return preparation
      }
      const openReview = ({ preparation, answer }: Opening) =>
        open(sendScreen, {
          ports,
          checked,
          facts: getFacts(checked, request, settings()),
          steps,
          attempts,
          preparation,
          answer,
          requester,
          window,
          answerWhen,
          settle: (sent) => settle(done(sent)),
        })

      const preparation = prepare()
      if (requester || !maySignSilently(settings())) return openReview({ preparation })
      const reviewed = await preparation.catch(() => undefined)
      if (!reviewed?.prepared.hasEnough || reviewed.prepared.willFail) return openReview({ preparation })
      const outcome = await sendSilently(reviewed)
      return 'receipt' in outcome ? outcome : openReview(outcome)

      /** Resolves with the opening of the review if the user must be asked. */
      async function sendSilently(reviewed: Reviewed): Promise<Sent | Opening> {
        try {
          const toSign = await steps.toRequest(reviewed)
          const answer = await wallet.confirm(address, toSign, { signal, place: 'silent' })
          if (answer.place !== 'silent') return { preparation, answer }
          const sent = await steps.sign(toSign, answer)
          if (answerWhen === 'signed') return sent
          return await steps.deliver(sent, reviewed, { follows: answerWhen === 'confirmed' })
        } catch (cause) {
          // The limits were used up meanwhile.
          if (requiresPage(cause)) return { preparation: prepare() }
          throw isRefusal(cause) ? cause : attempts.fail(cause).error
        }
      }
    },
  )
}

/** Returns the texts of the host, and the requester as far as the browser vouches for it. */
function getFacts(
  { account, transaction, chain }: CheckedTransaction,
  { ui = {}, answerWhen, relayed }: SendRequest,
  settings: Settings,
): SendFacts {
  return {
    ui,
    chain,
    from: account.address,
    to: transaction.to,
    value: transaction.value,
    appName: relayed?.requester.name ?? appName(settings),
    origin: relayed?.requester.url ?? settings.hostOrigin,
    isRelayed: relayed !== undefined,
    isHandedOver: answerWhen === 'signed',
    priceDisplay: settings.config.embeddedWallets?.priceDisplay,
  }
}
