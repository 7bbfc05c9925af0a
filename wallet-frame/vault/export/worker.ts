/**
 * The worker of the export window's vault. One file without imports, under the policy of `vault/worker.ts`.
 */
import { expose, transfer } from 'comlink'
import * as v from 'valibot'
import { systemClock } from '../../clock.ts'
import { createGuardedEndpoint, type MessagePeer } from '../guarded-endpoint.ts'
import { exportOutputs } from './contract.ts'
import { createExportVault } from './vault.ts'

const vault = createExportVault({ clock: systemClock })

const peer: MessagePeer = {
  postMessage: (message, handedOver) => self.postMessage(message, { transfer: handedOver }),
  addEventListener: (type, listener) => self.addEventListener(type, listener),
}
/** Transfers the shown text, so that no copy stays in the worker. */
async function call(request: unknown) {
  const answer = await vault.call(request)
  if (!answer.ok) return answer
  const output = v.safeParse(exportOutputs.show, answer.value)
  return output.success ? transfer(answer, [output.output.text.buffer]) : answer
}
expose(Object.freeze(Object.assign(Object.create(null), { call })), createGuardedEndpoint(peer))
