/**
 * The page that takes a key of its user, in a frame of the dialog. It has no network, and a vault of its own.
 * The wallet frame beside it is handed what is sealed to the wallet's vault; the dialog hears an address, when the user has said
 * that this is the one.
 */
import './import.css'
import { LatchkeyError } from '@latchkey/protocol'
import { openChannel } from '@latchkey/protocol/channel'
import { systemClock } from '../clock.ts'
import { type HeardOfPages, pageContract } from '../pages/contract.ts'
import { heardByImportPage } from '../pages/heard-by-pages.ts'
import { openOwnPage } from '../pages/own-page.ts'
import { type ImportInputs, type ImportOutputs, importOutputs } from '../vault/import/contract.ts'
import vaultUrl from '../vault/import/worker.ts?worker&url'
import { createVaultClient } from '../vault-client/client.ts'
import { vaultStarter } from '../vault-client/worker.ts'
import { languages } from './texts.ts'
import { createView } from './view.ts'

const endless = new AbortController().signal

function start() {
  const page = openOwnPage(languages)
  if (!page) return
  const vault = createVaultClient<ImportInputs, ImportOutputs>({
    outputs: importOutputs,
    start: vaultStarter(vaultUrl),
    clock: systemClock,
  })
  const view = createView({
    document,
    texts: page.texts,
    take: (text) => vault.ask('take', { text }, endless),
    forget: () => void vault.ask('forget', {}, endless).catch(() => {}),
  })
  openChannel<typeof heardByImportPage, HeardOfPages>({
    contract: pageContract,
    side: 'child',
    hears: heardByImportPage,
    target: { window: page.frame, origin: location.origin },
    handlers: {
      begin: (_data, { signal }) => vault.ask('begin', {}, signal),
      async key({ privateKey }, { signal }) {
        if (!privateKey) return { address: await view.askForKey() }
        const taken = await vault.ask('takeSealed', { privateKey }, signal)
        if ('address' in taken) return { address: await view.confirm(taken.address) }
        throw new LatchkeyError('invalid_data', 'This is no private key', {
          details: { reason: taken.problem },
        })
      },
      seal: (given, { signal }) => vault.ask('seal', given, signal),
    },
  })
  document.addEventListener('visibilitychange', () => document.hidden && view.hide())
  addEventListener('pagehide', () => {
    view.clear()
    vault.end()
  })
}

start()
