/** The database adapter of `oidc-provider`. Single use holds across processes. */
import { type Adapter, type AdapterPayload, errors, Provider } from 'oidc-provider'
import type { ServerContext } from '../../../kernel/context.ts'
import { withPepperRetry } from '../../../kernel/keys/keys.ts'
import { providerLimits } from '../limits.ts'
import { findRequester, toClient } from '../requesters.ts'
import {
  addRecord,
  consumeRecord,
  findRecord,
  prolongGrant,
  putRecord,
  removeOfGrant,
  removeRecord,
} from './records.ts'

export function adapterFor(context: ServerContext, appId: string): (kind: string) => Adapter {
  return (kind) => {
    switch (kind) {
      case 'Client':
        return clients(context, appId)
      case 'Session':
        return nothing
      default:
        return records(context, appId, kind)
    }
  }
}

const nothing: Adapter = {
  upsert: async () => {},
  find: async () => undefined,
  findByUid: async () => undefined,
  findByUserCode: async () => undefined,
  consume: async () => {},
  destroy: async () => {},
  revokeByGrantId: async () => {},
}

/** Clients come only from the operator's registration. */
const clients = ({ db }: ServerContext, appId: string): Adapter => ({
  ...nothing,
  async find(clientId) {
    const requester = await findRequester(db, { appId, clientId })
    return requester && toClient(requester)
  },
})

function records(context: ServerContext, appId: string, kind: string): Adapter {
  const { db, keyring } = context
  const toRecordName = (id: string) => ({ appId, kind, id })
  return {
    ...nothing,
    async upsert(id, payload, seconds = providerLimits.grantSeconds) {
      if (kind === 'ReplayDetection') {
        if (await addRecord(db, context, toRecordName(id), payload, seconds)) return
        throw new errors.InvalidGrant('this was used before')
      }
      if (kind === 'RefreshToken' && payload.grantId !== undefined) {
        await prolongGrant(db, context, { appId, id: payload.grantId }, seconds)
      }
      await putRecord(
        db,
        context,
        toRecordName(id),
        kind === 'RefreshToken' ? bound(payload) : payload,
        seconds,
      )
    },
    find: (id) => withPepperRetry(keyring, () => findRecord(db, context, toRecordName(id))),
    async consume(id) {
      if (!(await consumeRecord(db, context, toRecordName(id))))
        throw new errors.InvalidGrant('this was used before')
    },
    destroy: (id) => removeRecord(db, toRecordName(id)),
    revokeByGrantId: (grantId) => removeOfGrant(db, { appId, kind, grantId }),
  }
}

/**
 * Binds a refresh token to the key of its first access token. `oidc-provider` does this only for public clients. Our
 * confidential clients forward the browser's proof, so the token belongs to the browser.
 */
function bound(payload: AdapterPayload): AdapterPayload {
  const jkt = payload.jkt ?? Provider.ctx?.oidc.entities.AccessToken?.jkt
  if (jkt === undefined) throw new errors.InvalidGrant('a refresh token is bound to a key')
  return { ...payload, jkt }
}
