/** Login with Farcaster over HTTP, from one browser in one app, with the sandbox's relay, phones and chain. */
import * as v from 'valibot'
import { chains as chainsOf } from '../../../integrations/chains/chains.ts'
import { createRpcChains } from '../../../integrations/chains/rpc-chains.ts'
import type { Database } from '../../../kernel/db/database.ts'
import { appFixture } from '../../../testing/fixture.ts'
import { startSandboxWithChain } from '../../../testing/sandbox.ts'
import { createRelay, relay } from '../relay.ts'

export const host = 'http://demo.localhost:4010'
export const refused = (status: number, code: string, reason?: string) => ({
  status,
  answer: { code, ...(reason !== undefined && { details: { reason } }) },
})
export const gone = refused(422, 'invalid_credentials', 'channel')

export const begun = v.object({ channel_token: v.string(), connect_uri: v.string() })
const signed = v.object({ message: v.string(), signature: v.string(), fid: v.number() })

export type Phone = { person?: string; wrong?: string; nowMs?: number }
export type Sandbox = Awaited<ReturnType<typeof openSandbox>>

export async function openSandbox() {
  const { url, chainUrl } = await startSandboxWithChain()
  const post = async (path: string, body: unknown): Promise<unknown> => {
    const headers = { 'content-type': 'application/json' }
    return (await fetch(url + path, { method: 'POST', headers, body: JSON.stringify(body) })).json()
  }
  return {
    chainUrl,
    relayUrl: `${url}/farcaster`,
    setFault: (farcaster: string) => post('/api/faults', { farcaster }),
    /** Approves the request like this person's phone. Returns the signed message. */
    phone: (channelToken: string, phone: Phone = {}) =>
      post('/api/farcaster/phone', { channelToken, ...phone }),
    async counts() {
      const answer = await (await fetch(`${url}/api/farcaster`)).json()
      return v.parse(v.object({ opened: v.number(), polled: v.number() }), answer)
    },
  }
}

export async function farcasterFixture(database: Database, sandbox: Sandbox) {
  const fixture = await appFixture(database, [['farcaster_auth', true]])
  const { browser, context } = fixture
  const opChain = (url: string) => chainsOf.set(context.ports, createRpcChains(new Map([[10, url]])))
  opChain(sandbox.chainUrl)
  relay.set(context.ports, createRelay(sandbox.relayUrl))

  const begin = (from = browser, origin: string | undefined = host) =>
    from.call('beginFarcaster', { body: { origin } })
  const channelOf = async (from = browser) => v.parse(begun, (await begin(from)).answer).channel_token
  const status = (channelToken: string, from = browser) =>
    from.call('farcasterStatus', { headers: { 'farcaster-channel-token': channelToken } })
  /** Creates the dialog's request after the approval. */
  const approved = async (phone: Phone = {}, from = browser) => {
    const channelToken = await channelOf(from)
    await sandbox.phone(channelToken, { nowMs: context.clock.nowMs(), ...phone })
    const { answer } = await status(channelToken, from)
    return { channel_token: channelToken, ...v.parse(signed, answer) }
  }
  const login = (body: unknown, from = browser, requestId?: string) =>
    from.call('loginWithFarcaster', { body, ...(requestId !== undefined && { requestId }) })

  return {
    ...fixture,
    opChain,
    begin,
    channelOf,
    status,
    approved,
    login,
  }
}
export type FarcasterFixture = Awaited<ReturnType<typeof farcasterFixture>>
