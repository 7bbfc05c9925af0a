/**
 * The vault's worker. One file without imports, served with a policy that blocks all network access:
 * `default-src 'none'; script-src 'wasm-unsafe-eval'; worker-src 'none'; connect-src 'none'`.
 */
import { expose } from 'comlink'
import { systemClock } from '../clock.ts'
import { createIndexedDatabase } from './device/indexed-db.ts'
import { createGuardedEndpoint, type MessagePeer } from './guarded-endpoint.ts'
import { createVault } from './vault.ts'

const vault = createVault({ openDatabase: createIndexedDatabase, clock: systemClock })

const peer: MessagePeer = {
  postMessage: (message) => self.postMessage(message),
  addEventListener: (type, listener) => self.addEventListener(type, listener),
}
expose(Object.freeze(Object.assign(Object.create(null), vault)), createGuardedEndpoint(peer))
