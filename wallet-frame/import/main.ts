/**
 * The page that takes a key of its user, in a frame of the dialog. It has no network, and a vault of its own.
 * The wallet frame beside it is handed what is sealed to the wallet's vault; the dialog hears an address, when the user has said
 * that this is the one.
 */
import './import.css'
import '../pages/page.css'
import { LatchkeyError, product } from '@latchkey/protocol'
import { openChannel } from '@latchkey/protocol/channel'
import { type PageHeightMessage, pageHeightType } from '@latchkey/protocol/wallet'
import { systemClock } from '../clock.ts'
import { framePath, siblingAt } from '../pages/handshake/siblings.ts'
import { textsIn } from '../pages/languages.ts'
import { applyLook } from '../pages/look.ts'
import { mayRunUnder, readPageConfig } from '../pages/page.ts'
import { type ImportInputs, type ImportOutputs, importOutputs } from '../vault/import/contract.ts'
import vaultUrl from '../vault/import/worker.ts?worker&url'
import { createVaultClient } from '../vault-client/client.ts'
import { vaultStarter } from '../vault-client/worker.ts'
import { type FrameMessages, importPageContract, importPageMessages } from './contract.ts'
import { languages } from './texts.arb'
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
    console.error(`${product.name}: this page does not run under these windows`)
    return
  }
  const root = document.documentElement
  const { lang, dir, texts } = textsIn(location.search, languages)
  Object.assign(root, { lang, dir })
  applyLook(root, location.search)
  tellHeight(config.dialogOrigin)
  const vault = createVaultClient<ImportInputs, ImportOutputs>({
    outputs: importOutputs,
    start: vaultStarter(vaultUrl),
    clock: systemClock,
  })
  const view = createView({
    document,
    texts,
    take: (text, passphrase) => vault.ask('take', { text, ...(passphrase && { passphrase }) }, endless),
    choose: async (account) => void (await vault.ask('choose', { account }, endless)),
    forget: () => void vault.ask('forget', {}, endless).catch(() => {}),
  })
  openChannel<typeof importPageMessages, FrameMessages>({
    contract: importPageContract,
    side: 'child',
    receives: importPageMessages,
    target: { window: frame, origin: location.origin },
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

/** The dialog cannot measure what is in the frame, and the frame is as high as it says. */
function tellHeight(dialogOrigin: string): void {
  const { body } = document
  new ResizeObserver(() => {
    const message: PageHeightMessage = { type: pageHeightType, heightPx: Math.ceil(body.offsetHeight) }
    window.parent.postMessage(message, { targetOrigin: dialogOrigin })
  }).observe(body)
}

start()
