/**
 * The page that shows a key to its user, in a frame of the dialog. It has no network. The wallet frame beside it asks
 * the server for a share that is sealed to this page's own vault, and hands that over; the dialog sees neither.
 */
import './export.css'
import { openChannel } from '@latchkey/protocol/channel'
import { systemClock } from '../clock.ts'
import { type HeardOfPages, pageContract } from '../pages/contract.ts'
import { heardByExportPage } from '../pages/heard-by-pages.ts'
import { openOwnPage } from '../pages/own-page.ts'
import { type ExportInputs, type ExportOutputs, exportOutputs } from '../vault/export/contract.ts'
import vaultUrl from '../vault/export/worker.ts?worker&url'
import { createVaultClient } from '../vault-client/client.ts'
import { vaultStarter } from '../vault-client/worker.ts'
import { languages } from './texts.ts'
import { createView } from './view.ts'

const endless = new AbortController().signal

function start() {
  const page = openOwnPage(languages)
  if (!page) return
  const vault = createVaultClient<ExportInputs, ExportOutputs>({
    outputs: exportOutputs,
    start: vaultStarter(vaultUrl),
    clock: systemClock,
  })
  const view = createView({
    document,
    clock: systemClock,
    texts: page.texts,
    show: async (form) => (await vault.ask('show', { form }, endless)).text,
  })
  openChannel<typeof heardByExportPage, HeardOfPages>({
    contract: pageContract,
    side: 'child',
    hears: heardByExportPage,
    target: { window: page.frame, origin: location.origin },
    handlers: {
      begin: (_data, { signal }) => vault.ask('begin', {}, signal),
      state: (given, { signal }) => vault.ask('state', given, signal),
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
