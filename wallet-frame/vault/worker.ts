/**
 * The vault's thread. One file without imports, served with a policy that leaves it no way out:
 * `default-src 'none'; script-src 'wasm-unsafe-eval'; worker-src 'none'; connect-src 'none'`.
 */
import { expose } from 'comlink'
import { systemClock } from '../clock.ts'
import { indexedDatabase } from './device/indexed-db.ts'
import { guardedEndpoint, type MessagePeer } from './guarded-endpoint.ts'
import { createVault } from './vault.ts'

const vault = createVault({ openDatabase: indexedDatabase, clock: systemClock })

const peer: MessagePeer = {
  postMessage: (message) => self.postMessage(message),
  addEventListener: (type, listener) => self.addEventListener(type, listener),
}
expose(Object.freeze(Object.assign(Object.create(null), vault)), guardedEndpoint(peer))
