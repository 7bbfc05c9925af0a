/**
 * The import page, in an iframe of the dialog. It has its own vault and no network access. The wallet frame
 * receives the key sealed to its vault, and the dialog receives the address, both only after the user has
 * accepted it.
 */
import './import.css'
import '../pages/page.css'
import { LatchkeyError, product } from '@latchkey/protocol'
import { openChannel } from '@latchkey/protocol/channel'
import { type PageHeightMessage, pageHeightType } from '@latchkey/protocol/wallet'
import { systemClock } from '../clock.ts'
import { actionDigest } from '../pages/action-digest.ts'
import { findSibling, framePath } from '../pages/handshake/siblings.ts'
import { loadTexts } from '../pages/languages.ts'
import { applyLook } from '../pages/look.ts'
import { mayRunUnder, readPageConfig } from '../pages/page.ts'
import { type ImportInputs, type ImportOutputs, importOutputs } from '../vault/import/contract.ts'
import vaultUrl from '../vault/import/worker.ts?worker&url'
import { createVaultClient } from '../vault-client/client.ts'
import { createVaultStarter } from '../vault-client/worker.ts'
import {
  type FrameMessages,
  importPageContract,
  importPageMessages,
  requireHostKeyImport,
} from './contract.ts'
import { pageTexts } from './texts.ts'
import { createView } from './view.ts'

const neverAborted = new AbortController().signal

async function start() {
  const config = readPageConfig(
    document.getElementById(product.inlineConfigElementId)?.textContent,
    location.search,
  )
  const ancestors: DOMStringList | undefined = location.ancestorOrigins
  const frame = findSibling(framePath(config.appId))
  if (window.parent === window || !mayRunUnder(ancestors && [...ancestors], config) || !frame) {
    console.error(`${product.name}: this page does not run under these windows`)
    return
  }
  const root = document.documentElement
  const { lang, dir, texts } = await loadTexts(location.search, pageTexts)
  Object.assign(root, { lang, dir })
  applyLook(root, location.search)
  reportHeight(config.dialogOrigin)
  const vault = createVaultClient<ImportInputs, ImportOutputs>({
    outputs: importOutputs,
    start: createVaultStarter(vaultUrl),
    clock: systemClock,
  })
  let agreedAddress: string | undefined
  const view = createView({
    document,
    texts,
    clock: systemClock,
    take: (text, passphrase) => vault.call('take', { text, ...(passphrase && { passphrase }) }, neverAborted),
    agree: async (address) => void (await vault.call('agree', { address }, neverAborted)),
    forget: () => void vault.call('forget', {}, neverAborted).catch(() => {}),
  })
  openChannel<typeof importPageMessages, FrameMessages>({
    contract: importPageContract,
    side: 'child',
    receives: importPageMessages,
    target: { window: frame, origin: location.origin },
    handlers: {
      begin: (_data, { signal }) => vault.call('begin', {}, signal),
      async key({ privateKey }, { signal }) {
        agreedAddress = undefined
        if (!privateKey) {
          agreedAddress = await view.askForKey()
          return { address: agreedAddress }
        }
        requireHostKeyImport(config)
        const result = await vault.call('takeSealed', { privateKey }, signal)
        if ('address' in result) {
          agreedAddress = await view.confirm(result.address)
          return { address: agreedAddress }
        }
        throw new LatchkeyError('invalid_data', 'The input is not a private key', {
          details: { reason: result.problem },
        })
      },
      async confirm({ digest }) {
        const agreed = agreedAddress
        if (agreed && digest === (await actionDigest({ method: 'import', params: [agreed] }))) return {}
        throw new LatchkeyError('invalid_data', 'The user has not accepted this address')
      },
      seal: (input, { signal }) => vault.call('seal', input, signal),
    },
  })
  document.addEventListener('visibilitychange', () => document.hidden && view.hide())
  addEventListener('pagehide', () => {
    view.clear()
    vault.end()
  })
}

/** Reports the page's height to the dialog, which cannot measure a cross-origin iframe. */
function reportHeight(dialogOrigin: string): void {
  const { body } = document
  new ResizeObserver(() => {
    const message: PageHeightMessage = { type: pageHeightType, heightPx: Math.ceil(body.offsetHeight) }
    window.parent.postMessage(message, { targetOrigin: dialogOrigin })
  }).observe(body)
}

void start()
