/** The wallet frame's page: refuses to start where it does not belong, then serves the dialog above it. */
import { product } from '@latchkey/protocol'
import { openChannel } from '@latchkey/protocol/channel'
import { walletContract } from '@latchkey/protocol/wallet'
import { mayRunUnder } from './bridge/ancestors.ts'
import { createBridge } from './bridge/bridge.ts'
import { readPageConfig } from './bridge/page-config.ts'
import { type Clock, createVaultClient } from './bridge/vault-client.ts'
import { startVaultWorker } from './bridge/vault-worker.ts'
import { name, version } from './package.json' with { type: 'json' }
import { createTransport } from './shares/transport.ts'

const clock: Clock = {
  nowMs: () => performance.now(),
  after: (ms, run) => {
    const timer = setTimeout(run, ms)
    return () => clearTimeout(timer)
  },
}

function start() {
  const config = readPageConfig(
    document.getElementById(product.inlineConfigElementId)?.textContent,
    location.search,
  )
  const ancestors: DOMStringList | undefined = location.ancestorOrigins
  if (window.parent === window || !mayRunUnder(ancestors && [...ancestors], config)) {
    console.error(`${product.name}: the wallet frame does not run under these windows`)
    return
  }
  const api = createTransport({
    origin: location.origin,
    appId: config.appId,
    client: `${name}:${version}`,
    clientId: config.clientId,
    analyticsId: config.analyticsId,
    fetch: (url, init) => fetch(url, init),
    sleep: (ms) => new Promise((resolve) => setTimeout(resolve, ms)),
    deadline: (ms) => AbortSignal.timeout(ms),
    newRequestId: () => crypto.randomUUID(),
  })
  const vault = createVaultClient({ start: startVaultWorker, clock })
  const channel = openChannel({
    contract: walletContract,
    side: 'child',
    target: { window: window.parent, origin: config.dialogOrigin },
    handlers: createBridge({ appId: config.appId, api, vault }),
    onConnect: () => {
      channel.call('iframe:ready', {}).catch(() => {
        // The dialog is going away or does not listen for it; it can ask for `iframe:ready` itself.
      })
    },
    onClose: () => vault.end(),
  })
}

start()
