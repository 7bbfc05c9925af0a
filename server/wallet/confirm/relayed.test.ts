/** Tests requests of dapps through a relay over HTTP, on each engine. */
import { hashMessage } from 'viem'
import { beforeEach, expect, test } from 'vitest'
import { forDefaultEngine } from '../../kernel/db/test-engines.ts'
import { newHandle } from './testing/confirming.ts'
import { type ConfirmFixture, confirmFixture } from './testing/fixture.ts'

const requester = { name: 'Tide Market', url: 'https://market.tides.example' }
const signIn = (host: string) => `${host} wants you to sign in with your Ethereum account:\n0x00`
const invalid = (path: string) => ({ status: 422, answer: { code: 'invalid_data', details: { path } } })
const blocked = { status: 422, answer: { code: 'invalid_message' } }

forDefaultEngine((database) => {
  let fixture: ConfirmFixture
  beforeEach(async () => {
    fixture = await confirmFixture(database())
    await fixture.set(['dapp_connections', true])
  })

  test('a dapp message is approved on the page only, for every kind and requested surface', async () => {
    for (const place of ['silent', 'frame', 'unseen', 'page'] as const) {
      expect(await fixture.put(fixture.message(), { requester, place })).toMatchObject({
        status: 200,
        answer: { place: 'page', reason: 'relayed', digest: hashMessage('Hello') },
      })
    }
    const handle = newHandle()
    await fixture.put(fixture.message(), { requester, handle })
    expect(await fixture.askToken(handle)).toMatchObject({
      status: 403,
      answer: { code: 'approval_required_elsewhere' },
    })
  })

  test('returns the dapp to the page, and the approved dapp to the release', async () => {
    const handle = newHandle()
    await fixture.put(fixture.message(), { requester, handle })
    expect(await fixture.read(handle)).toMatchObject({ answer: { state: 'open', requester } })
    await fixture.decide(handle, hashMessage('Hello'), 'approve')
    expect(await fixture.release(await fixture.tokenFor(handle))).toMatchObject({
      status: 200,
      answer: { relayed_for: 'https://market.tides.example' },
    })
    expect(await fixture.activity()).toMatchObject({
      answer: { activity: [{ kind: 'message', place: 'page', app: 'market.tides.example' }, {}] },
    })
  })

  test('a request of the app itself contains no dapp', async () => {
    const handle = newHandle()
    await fixture.put(fixture.message(), { handle })
    const answer = Object((await fixture.release(await fixture.tokenFor(handle))).answer)
    expect(answer).toHaveProperty('auth_share')
    expect(answer).not.toHaveProperty('relayed_for')
  })

  test('a handle belongs to one dapp, or to none', async () => {
    const handle = newHandle()
    expect(await fixture.put(fixture.message(), { handle })).toMatchObject({ status: 200 })
    const used = { answer: { code: 'token_already_used' } }
    expect(await fixture.put(fixture.message(), { handle, requester })).toMatchObject(used)
    const another = newHandle()
    expect(await fixture.put(fixture.message(), { handle: another, requester })).toMatchObject({
      status: 200,
    })
    expect(await fixture.put(fixture.message(), { handle: another })).toMatchObject(used)
    const other = { ...requester, name: 'Tide' }
    expect(await fixture.put(fixture.message(), { handle: another, requester: other })).toMatchObject(used)
  })

  test("a login message is accepted only for the dapp's own address", async () => {
    const put = (text: string) => fixture.put(fixture.message(text), { requester })
    expect(await put(signIn('market.tides.example'))).toMatchObject({ status: 200 })
    expect(await put(signIn('bank.example'))).toMatchObject(blocked)
    expect(await put(signIn('market.tides.example:8443'))).toMatchObject(blocked)
    expect(await put(`${signIn('market.tides.example')}\n\n${signIn('bank.example')}`)).toMatchObject(blocked)
  })

  test("no dapp can use the address of one of the app's pages, or an invalid origin", async () => {
    const put = (url: string) => fixture.put(fixture.message(), { requester: { ...requester, url } })
    const [listed = ''] = fixture.app.allowedOrigins
    expect(await put(listed)).toMatchObject(invalid('requester.url'))
    expect(await put('https://market.tides.example/page')).toMatchObject(invalid('requester.url'))
    expect(await put(`https://${'a'.repeat(200)}.example`)).toMatchObject(invalid('requester.url'))
    const long = { ...requester, name: 'a'.repeat(81) }
    expect(await fixture.put(fixture.message(), { requester: long })).toMatchObject(invalid('requester.name'))
  })

  test('an app without dapp connections accepts no dapp request', async () => {
    await fixture.set(['dapp_connections', false])
    expect(await fixture.put(fixture.message(), { requester })).toMatchObject({
      answer: { code: 'not_supported' },
    })
  })
})
