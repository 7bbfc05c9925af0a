/** The confirmation page, at the top of its own window. It refuses to run in a frame or without a request. */
import '../pages/top-page.css'
import { product } from '@latchkey/protocol'
import { openChannel } from '@latchkey/protocol/channel'
import { namedByHost } from '@latchkey/protocol/wallet'
import { pause, systemClock } from '../clock.ts'
import { name, version } from '../package.json' with { type: 'json' }
import { findFrame } from '../pages/handshake/find-frame.ts'
import { loadTexts } from '../pages/languages.ts'
import { readPageConfig } from '../pages/page.ts'
import { createPublicTransport } from '../shares/transport.ts'
import { confirmContract, confirmPageMessages, type FrameMessages } from './contract.ts'
import { type Approver, createPageFlow, type PageName } from './page-flow.ts'
import { pageTexts } from './texts.ts'
import { createView } from './view.ts'

async function start() {
  const { appId, clientId, analyticsId } = readPageConfig(
    document.getElementById(product.inlineConfigElementId)?.textContent,
    location.search,
  )
  if (window.top !== window) return
  const pageName = parseName(location.hash.slice(1))
  // The handle works once and must not stay in the browser's history.
  history.replaceState(null, '', location.pathname + location.search)
  const { lang, dir, texts } = await loadTexts(location.search, pageTexts)
  Object.assign(document.documentElement, { lang, dir })
  const { opener } = window as { opener: Window | null }
  const clock = systemClock

  async function findApprover(signal: AbortSignal): Promise<Approver | undefined> {
    if (!opener) return undefined
    const frame = await findFrame({ window, opener, appId, handle: pageName.name, clock, signal })
    let isClosed = false
    const channel = openChannel<typeof confirmPageMessages, FrameMessages>({
      contract: confirmContract,
      side: 'child',
      receives: confirmPageMessages,
      target: { window: frame, origin: location.origin },
      handlers: {},
      onClose: () => {
        isClosed = true
      },
    })
    await channel.ready
    return {
      request: async (asked) => (await channel.call('request', {}, { signal: asked })).handle,
      approve: async (digest, asked) =>
        (await channel.call('approve', { digest }, { signal: asked })).statement,
      isGone: () => isClosed || frame.closed,
    }
  }

  const view = createView({
    document,
    texts,
    clock,
    approve: () => flow.approve(),
    refuse: () => flow.refuse(),
    approveByPasskey: () => flow.approveByPasskey(),
    sendCode: () => flow.sendCode(),
    approveByCode: (code) => flow.approveByCode(code),
    retry: () => void flow.read(),
  })
  const flow = createPageFlow({
    pageName,
    clock,
    api: createPublicTransport({
      origin: location.origin,
      appId,
      client: `${name}:${version}`,
      clientId,
      analyticsId,
      fetch: (url, init) => fetch(url, init),
      clock,
      pause: (ms, signal) => pause(clock, ms, signal),
      newRequestId: () => crypto.randomUUID(),
    }),
    findApprover,
    askPasskey: async (options) => (await (await loadPasskeys()).askPasskey(options)).assertion,
    show(state) {
      // Loads the module before the press, because browsers only prompt for a passkey soon after a press.
      if (state.status === 'review' && state.by === 'passkey') void loadPasskeys().catch(() => {})
      view.show(state)
    },
    closePage: () => window.close(),
  })
  addEventListener('pagehide', flow.close)
  void flow.read()
}

/** Loaded on demand, because few users confirm by passkey. */
const loadPasskeys = () => import('../pages/ask-passkey.ts')

const parseName = (fragment: string): PageName =>
  fragment.startsWith(namedByHost)
    ? { by: 'host', name: fragment.slice(namedByHost.length) }
    : { by: 'card', name: fragment }

void start()
