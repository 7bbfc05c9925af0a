/**
 * The export window, which shows a key to its user. It refuses to run in a frame or without a handle. It has
 * no network access.
 */
import './export.css'
import { product } from '@latchkey/protocol'
import { openChannel } from '@latchkey/protocol/channel'
import { systemClock } from '../clock.ts'
import { findFrame } from '../pages/handshake/find-frame.ts'
import { loadTexts } from '../pages/languages.ts'
import { applyTopLevelLook } from '../pages/look.ts'
import { readPageConfig } from '../pages/page.ts'
import { type ExportInputs, type ExportOutputs, exportOutputs } from '../vault/export/contract.ts'
import vaultUrl from '../vault/export/worker.ts?worker&url'
import { createVaultClient } from '../vault-client/client.ts'
import { createVaultStarter } from '../vault-client/worker.ts'
import { exportWindowContract, type FrameMessages, windowMessages } from './contract.ts'
import { createWindowFlow, type Frame } from './flow.ts'
import { pageTexts } from './texts.ts'
import { createView } from './view.ts'

const neverAborted = new AbortController().signal

async function start() {
  const { appId, appName } = readPageConfig(
    document.getElementById(product.inlineConfigElementId)?.textContent,
    location.search,
  )
  if (window.top !== window) return
  applyTopLevelLook(document.documentElement, location.search)
  const address = new URLSearchParams(location.search).get('address')
  const handle = location.hash.slice(1)
  // The handle works once and must not stay in the browser's history.
  history.replaceState(null, '', location.pathname + location.search)
  const { lang, dir, texts } = await loadTexts(location.search, pageTexts)
  Object.assign(document.documentElement, { lang, dir })
  const { opener } = window as { opener: Window | null }
  const clock = systemClock
  const vault = createVaultClient<ExportInputs, ExportOutputs>({
    outputs: exportOutputs,
    start: createVaultStarter(vaultUrl),
    clock,
  })

  async function reachFrame(signal: AbortSignal): Promise<Frame> {
    if (!opener) throw new Error('This window is cut off from the page that opened it')
    const frame = await findFrame({ window, opener, appId, handle, clock, signal })
    const channel = openChannel<typeof windowMessages, FrameMessages>({
      contract: exportWindowContract,
      side: 'child',
      receives: windowMessages,
      target: { window: frame, origin: location.origin },
      handlers: { confirm: flow.confirm, open: flow.open, over: flow.fail },
      onClose: flow.lose,
    })
    addEventListener('pagehide', () => channel.destroy())
    await channel.ready
    return {
      async begin(vaultKey) {
        const request = await channel.call('begin', vaultKey)
        // The address bar must not name another wallet than the page.
        if (address !== null && address !== request.address)
          throw new Error('The frame exports another wallet')
        return request
      },
      isGone: () => frame.closed,
    }
  }

  const view = createView({
    document,
    clock,
    texts,
    appName,
    approve: () => flow.approve(),
    reveal: async (form) => (await vault.call('show', { form }, neverAborted)).text,
    closeWindow: () => window.close(),
  })
  const flow = createWindowFlow({
    clock,
    findFrame: reachFrame,
    vault: {
      begin: () => vault.call('begin', {}, neverAborted),
      open: (given) => vault.call('open', given, neverAborted),
      end: vault.end,
    },
    show: view.show,
    closeWindow: () => window.close(),
  })
  // Hides the key when the user switches to another tab.
  document.addEventListener('visibilitychange', () => document.hidden && view.hide())
  addEventListener('pagehide', () => {
    view.hide()
    vault.end()
  })
  void flow.start()
}

void start()
