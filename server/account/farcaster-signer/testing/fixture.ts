/** Requests signers over HTTP like the dialog and the wallet frame of a user with a wallet and a Farcaster account. */
import { createHash, randomBytes } from 'node:crypto'
import * as v from 'valibot'
import { setFields } from '../../../identity/apps/manage.ts'
import type { TestSession } from '../../../identity/sessions/testing/browser.ts'
import { linkAccount } from '../../../identity/users/users.ts'
import { chains } from '../../../integrations/chains/chains.ts'
import { createRpcChains } from '../../../integrations/chains/rpc-chains.ts'
import type { Database } from '../../../kernel/db/database.ts'
import { startSandboxWithChain } from '../../../testing/sandbox.ts'
import { type MfaFixture, mfaFixture } from '../../verification/testing/fixture.ts'
import { signerEnvironment } from '../environment.ts'
import { createFarcasterApi, farcasterApi } from '../farcaster-api.ts'

export const newKey = () => `0x${randomBytes(32).toString('hex')}`
/** The ids that the sandbox assigns. */
export const fidOf = (name: string) =>
  1_000 +
  (Number.parseInt(createHash('sha256').update(`Farcaster of ${name}`).digest('hex').slice(0, 7), 16) %
    1_000_000)

const releasedAnswer = v.object({
  wallet: v.looseObject({ wallet_id: v.string(), generation: v.number() }),
  auth_share: v.object({ v: v.literal(1), enc: v.string(), ct: v.string() }),
  key_index: v.number(),
})

export type Sandbox = Awaited<ReturnType<typeof openSandbox>>
export async function openSandbox() {
  const { url, chainUrl } = await startSandboxWithChain()
  const post = async (path: string, body: unknown): Promise<unknown> => {
    const headers = { 'content-type': 'application/json' }
    return (await fetch(url + path, { method: 'POST', headers, body: JSON.stringify(body) })).json()
  }
  const counts = async () => {
    const answer = await (await fetch(`${url}/api/farcaster/signer`)).json()
    return v.parse(v.object({ last: v.nullable(v.string()), asked: v.number(), looked: v.number() }), answer)
  }
  return {
    chainUrl,
    apiUrl: `${url}/farcaster-api`,
    setFault: (farcaster: string) => post('/api/faults', { farcaster }),
    counts,
    /** Acts on the latest request like a user on a phone. */
    act: async (act: string, person = 'Ada Lovelace') =>
      post('/api/farcaster/signer', { token: (await counts()).last, act, person }),
  }
}

export async function signerFixture(database: Database, sandbox: Sandbox) {
  const fixture = await mfaFixture(database)
  const { context, app, browser } = fixture
  // The sandbox compares times with the clock of this machine.
  context.clock.advanceSeconds(Math.floor((Date.now() - context.clock.nowMs()) / 1_000))
  await setFields(context.db, context.clock, app.id, [['farcaster_auth', true]])
  context.clock.advanceSeconds(5)
  signerEnvironment.parse({ FARCASTER_APP: `9152:0x${'5a'.repeat(32)}` }, context.config.parts)
  farcasterApi.set(context.ports, createFarcasterApi(sandbox.apiUrl))
  const opChain = (url: string) => chains.set(context.ports, createRpcChains(new Map([[10, url]])))
  opChain(sandbox.chainUrl)

  const link = (session: TestSession, fid: number) =>
    context.transaction((trx) =>
      linkAccount(
        trx,
        context,
        { appId: app.id, userId: session.user.id, sessionId: 'of a test' },
        { type: 'farcaster', identifier: String(fid), profile: { fid, ownerAddress: '0x1' } },
      ),
    )
  const session = await browser.login('ada@example.com')
  const address = await fixture.makeWallet(session)

  /** One operation for the key: the release, and the report of the key. */
  async function init(publicKey: string, of = session, at = address, body = {}) {
    const { call } = fixture.inOperation(of, { purpose: 'farcaster-signer', address: at })
    const released = await call('releaseForSigner')
    if (released.status !== 200) return released
    return call('initSigner', { ed25519_public_key: publicKey, ...body })
  }
  return {
    ...fixture,
    session,
    address,
    fid: fidOf('Ada Lovelace'),
    opChain,
    link,
    init,
    readReleased: (answered: { answer: unknown }) => v.parse(releasedAnswer, answered.answer),
    status: (publicKey: string, token = session.token, from = browser) =>
      from.call('signerStatus', { token, body: { ed25519_public_key: publicKey } }),
    sign: (body: unknown, of = session, at = address) =>
      fixture
        .inOperation(of, { purpose: 'farcaster-sign', address: at })
        .call('releaseToSignForFarcaster', body),
    async account() {
      const { answer } = await browser.call('me', { token: session.token })
      const { linked_accounts } = Object(answer)
      return linked_accounts.find(({ type }: { type: string }) => type === 'farcaster')
    },
    async audited(event: string) {
      const rows = await context.db.selectFrom('audit_log').selectAll().where('event', '=', event).execute()
      return rows.map(({ details }) => JSON.parse(details))
    },
  }
}
export type SignerFixture = Awaited<ReturnType<typeof signerFixture>> & MfaFixture
