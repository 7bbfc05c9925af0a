/** The wallet frame's page: refuses to start under an unexpected parent, then serves the dialog. */
import { product } from '@latchkey/protocol'
import { openChannel } from '@latchkey/protocol/channel'
import { frameMessages, type WalletParentMessages, walletContract } from '@latchkey/protocol/wallet'
import { createBridge } from './bridge/bridge.ts'
import { pause, systemClock } from './clock.ts'
import { name, version } from './package.json' with { type: 'json' }
import { getHostPage, mayRunUnder, readPageConfig } from './pages/page.ts'
import { recoveryMethods } from './recovery/index.ts'
import { createPublicTransport, createTransport } from './shares/transport.ts'
import { type VaultInputs, vaultOutputs } from './vault/contract.ts'
import vaultUrl from './vault/worker.ts?worker&url'
import { createVaultClient } from './vault-client/client.ts'
import { createVaultStarter } from './vault-client/worker.ts'

const browserFetch = (url: string, init: RequestInit) => fetch(url, init)

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
  const vault = createVaultClient<VaultInputs, typeof vaultOutputs>({
    outputs: vaultOutputs,
    start: createVaultStarter(vaultUrl),
    clock: systemClock,
  })
  const transport = {
    origin: location.origin,
    appId: config.appId,
    client: `${name}:${version}`,
    clientId: config.clientId,
    analyticsId: config.analyticsId,
    fetch: browserFetch,
    clock: systemClock,
    pause: (ms: number, signal: AbortSignal) => pause(systemClock, ms, signal),
    newRequestId: () => crypto.randomUUID(),
  }
  const api = createTransport({
    ...transport,
    prove: async (call, signal) =>
      (await vault.call('prove', { ...call, appId: config.appId }, signal)).proof,
  })
  const channel = openChannel<typeof frameMessages, WalletParentMessages>({
    contract: walletContract,
    side: 'child',
    receives: frameMessages,
    target: { window: window.parent, origin: config.dialogOrigin },
    handlers: createBridge({
      appId: config.appId,
      api,
      publicApi: createPublicTransport(transport),
      vault,
      openChannel,
      clock: systemClock,
      host: getHostPage(ancestors && [...ancestors], window.parent === window.top, config),
      hostKeyImport: config.hostKeyImport,
      clouds: { addresses: config.clouds, fetch: browserFetch },
      recovery: recoveryMethods,
      own: { origin: location.origin, onMessage: (listener) => addEventListener('message', listener) },
    }),
    onConnect: () => {
      channel.call('iframe:ready', {}).catch(() => {
        // The dialog is closing or is not ready; it can call `iframe:ready` itself.
      })
    },
    onClose: () => vault.end(),
  })
}

start()
