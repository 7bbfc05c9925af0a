/** Replaces the dialog, with the real channel to the real wallet frame, and counts round trips. */
import { openChannel } from '@latchkey/protocol/channel'
import { type FrameMessages, walletContract, walletParentMessages } from '@latchkey/protocol/wallet'

async function measure() {
  const { walletOrigin, appId } = Object.fromEntries(new URLSearchParams(location.search))
  const frame = document.createElement('iframe')
  frame.src = `${walletOrigin}/apps/${appId}/embedded-wallets?caid=bench&client_id=bench`
  document.body.append(frame)
  if (!frame.contentWindow || !walletOrigin) throw new Error('No frame')
  const channel = openChannel<typeof walletParentMessages, FrameMessages>({
    contract: walletContract,
    side: 'parent',
    receives: walletParentMessages,
    target: { window: frame.contentWindow, origin: walletOrigin },
    handlers: { 'iframe:ready': () => ({}) },
  })
  const times = async (name: 'iframe:ready' | 'operation:begin') => {
    const results: number[] = []
    await channel.call(name, {})
    for (let run = 0; run < 8; run++) {
      const start = performance.now()
      await channel.call(name, {})
      results.push(performance.now() - start)
    }
    return results
  }
  Reflect.set(window, 'measured', {
    wallet: await times('iframe:ready'),
    vault: await times('operation:begin'),
  })
}

measure().catch((error) => Reflect.set(window, 'measured', { failed: String(error) }))
