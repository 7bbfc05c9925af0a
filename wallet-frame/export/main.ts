/**
 * The page that shows a key to its user, in a frame of the dialog. It has no network. The wallet frame beside it asks
 * the server for a share that is sealed to this page's own vault, and hands that over; the dialog sees neither.
 */
import './page.css'
import { product } from '@latchkey/protocol'
import { openChannel } from '@latchkey/protocol/channel'
import { mayRunUnder } from '../bridge/ancestors.ts'
import { readPageConfig } from '../bridge/page-config.ts'
import { systemClock } from '../clock.ts'
import { exportContract, type HeardOfExportPage, heardByExportPage } from '../pages/contract.ts'
import { applyLook } from '../pages/look.ts'
import { framePath, siblingAt } from '../pages/siblings.ts'
import { type ExportInputs, type ExportOutputs, exportOutputs } from '../vault/export/contract.ts'
import vaultUrl from '../vault/export/worker.ts?worker&url'
import { createVaultClient } from '../vault-client/client.ts'
import { vaultStarter } from '../vault-client/worker.ts'
import { textsIn } from './texts.ts'
import { createView } from './view.ts'

const endless = new AbortController().signal

function start() {
  const config = readPageConfig(
    document.getElementById(product.inlineConfigElementId)?.textContent,
    location.search,
  )
  const ancestors: DOMStringList | undefined = location.ancestorOrigins
  const frame = siblingAt(framePath(config.appId))
  if (window.parent === window || !mayRunUnder(ancestors && [...ancestors], config) || !frame) {
    console.error(`${product.name}: the export page does not run under these windows`)
    return
  }
  const root = document.documentElement
  const { lang, dir, texts } = textsIn(location.search)
  Object.assign(root, { lang, dir })
  applyLook(root, location.search)
  const vault = createVaultClient<ExportInputs, ExportOutputs>({
    outputs: exportOutputs,
    start: vaultStarter(vaultUrl),
    clock: systemClock,
  })
  const view = createView({
    document,
    clock: systemClock,
    texts,
    show: async (form) => (await vault.ask('show', { form }, endless)).text,
  })
  openChannel<typeof heardByExportPage, HeardOfExportPage>({
    contract: exportContract,
    side: 'child',
    hears: heardByExportPage,
    target: { window: frame, origin: location.origin },
    handlers: {
      begin: (_data, { signal }) => vault.ask('begin', {}, signal),
      async open(given, { signal }) {
        view.ready((await vault.ask('open', given, signal)).forms)
        return {}
      },
    },
  })
  // Whoever turns away from it does not look at it.
  document.addEventListener('visibilitychange', () => document.hidden && view.hide())
  addEventListener('pagehide', () => {
    view.hide()
    vault.end()
  })
}

start()
