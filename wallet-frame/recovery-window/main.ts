/**
 * The recovery window, in which a user enters a recovery secret. It refuses to run in a frame or without a
 * handle.
 */
import './recovery-window.css'
import { product } from '@latchkey/protocol'
import { openChannel } from '@latchkey/protocol/channel'
import { systemClock } from '../clock.ts'
import { findFrame } from '../pages/handshake/find-frame.ts'
import { loadTexts } from '../pages/languages.ts'
import { readPageConfig } from '../pages/page.ts'
import { createCloudBrowser } from './cloud-window.ts'
import { type FrameMessages, recoveryWindowContract, windowMessages } from './contract.ts'
import { createWindowFlow, type Frame } from './flow.ts'
import { browserAuthenticator } from './passkey.ts'
import { pageTexts } from './texts.ts'
import { createView } from './view.ts'

async function start() {
  const { appId, appName } = readPageConfig(
    document.getElementById(product.inlineConfigElementId)?.textContent,
    location.search,
  )
  if (window.top !== window) return
  const handle = location.hash.slice(1)
  // The handle works once and must not stay in the browser's history.
  history.replaceState(null, '', location.pathname + location.search)
  const { lang, dir, texts } = await loadTexts(location.search, pageTexts)
  Object.assign(document.documentElement, { lang, dir })
  const { opener } = window as { opener: Window | null }
  const clock = systemClock

  async function reachFrame(signal: AbortSignal): Promise<Frame> {
    if (!opener) throw new Error('This window is cut off from the page that opened it')
    const frame = await findFrame({ window, opener, appId, handle, clock, signal })
    const channel = openChannel<typeof windowMessages, FrameMessages>({
      contract: recoveryWindowContract,
      side: 'child',
      receives: windowMessages,
      target: { window: frame, origin: location.origin },
      handlers: { seal: flow.seal, fromCloud: flow.fromCloud, confirm: flow.confirm },
      onClose: flow.lose,
    })
    addEventListener('pagehide', () => channel.destroy())
    await channel.ready
    return {
      begin: () => channel.call('begin', {}),
      give: (given) => channel.call('give', given),
      address: (holding) => channel.call('address', holding),
      refuse: (code) => channel.call('refuse', { code }),
      isGone: () => frame.closed,
    }
  }

  const view = createView({
    document,
    clock,
    texts,
    appName,
    generate: async () => (await import('./generated-password.ts')).generatePassword(),
    flow: () => flow,
  })
  const flow = createWindowFlow({
    clock,
    findFrame: reachFrame,
    authenticator: browserAuthenticator,
    browser: createCloudBrowser(window, clock),
    hostname: location.hostname,
    show: view.show,
    closeWindow: () => window.close(),
  })
  void flow.start()
}

void start()
