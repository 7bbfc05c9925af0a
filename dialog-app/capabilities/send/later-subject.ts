/** A transaction on the page of confirmations, read anew from what is signed, and asked of the chain there. */
import { knownChain } from '../../chains/known.ts'
import { createRpc } from '../../chains/rpc.ts'
import { screen } from '../../core/screen.ts'
import { appName } from '../../core/settings.ts'
import { type ReadSubject, walletOf } from '../../core/subject.ts'
import { actionOf, hashOf, readUnsigned } from './later-ethereum.ts'
import { prepare } from './preparation.ts'
import { sendScreen } from './screens.ts'
import type { ShownSend } from './send-screen.tsx'
import { unsupportedChain } from './transaction.ts'

export const readTransaction: ReadSubject = async (record, ports) => {
  const { request, origin, usd } = record
  const address = walletOf(record)
  const [unsigned = ''] = request.params
  const { transaction } = readUnsigned(unsigned)
  const { chainId, to, value } = transaction
  const settings = ports.settings()
  const chain = knownChain(chainId)
  const urls = settings.app.rpcUrls[String(chainId)]
  if (!chain || !urls) throw unsupportedChain(chainId)
  const rpc = createRpc(urls, ports)
  const [prepared, action] = await Promise.all([
    prepare(rpc, address, transaction, ports.signal),
    actionOf(rpc, transaction, ports.signal),
  ])
  const shown: ShownSend = {
    ui: {},
    chain,
    from: address,
    to,
    value,
    appName: appName(settings),
    origin,
    // Nothing that the page can believe says whether it is.
    mayBeHandedOver: true,
    usd,
    // The page has no host that could set it.
    priceDisplay: undefined,
  }
  return {
    digest: hashOf(unsigned),
    screen: (step, handlers) =>
      screen(
        sendScreen,
        step.status === 'review'
          ? { ...shown, status: 'review', prepared, action, approval: step.shown }
          : { ...shown, status: 'submitting', prepared, action },
        { ...handlers, retry: () => {}, leave: () => {} },
      ),
  }
}
