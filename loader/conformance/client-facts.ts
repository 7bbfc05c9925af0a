/**
 * Facts about a client that pages rely on, for the real dialog and for test doubles. On the tested page, users
 * sign up by themselves and get an Ethereum wallet at login.
 */
import type { Latchkey } from '../calls/latchkey.ts'
import type { StateStore } from '../state/state.ts'
import type { LatchkeyEvents } from '../types/options.ts'
import { becomes, type Fact, fact, getFailure, holds, isSame, type WalletUser } from './facts.ts'

export type ClientFixture = {
  /** Returns a new client for each fact, on a page without a logged-in user. */
  client(): Promise<Latchkey>
  /** Returns the client's store, as created by `@latchkey/loader/state`. */
  stateOf(client: Latchkey): StateStore
  user: WalletUser
}

type EventName = keyof LatchkeyEvents
const signature = /^0x[0-9a-f]{130}$/i
const address = /^0x[0-9a-fA-F]{40}$/

export function clientFacts({ client: open, stateOf, user }: ClientFixture): readonly Fact[] {
  async function loggedIn() {
    const client = await open()
    const { user: loggedInUser } = await user.approve(client.login())
    return { client, loggedInUser }
  }
  const recordEvents = (client: Latchkey, ...names: readonly EventName[]) => {
    const events: string[] = []
    for (const name of names)
      client.on(name, (event) => events.push(name === 'token' ? `token ${Reflect.get(event, 'type')}` : name))
    return events
  }
  /** Asserts that a call rejects with this code without prompting the user. */
  async function isRefused(call: () => Promise<unknown>, code: string, what: string) {
    const promptsBefore = await user.timesAsked()
    isSame((await getFailure(call(), what)).code, code, `the code of ${what}`)
    isSame(await user.timesAsked(), promptsBefore, 'the number of prompts')
  }

  return [
    fact('getUser and getAccessToken return null for a visitor, and ready is unauthenticated', async () => {
      const client = await open()
      isSame(await client.getUser(), null, 'the user')
      isSame(await client.getAccessToken(), null, 'the token')
      isSame(await client.ready, { authenticated: false }, 'ready')
    }),
    fact('login resolves with the user, whom getUser returns from then on', async () => {
      const client = await open()
      const result = await user.approve(client.login())
      isSame(result.wasAlreadyAuthenticated, false, 'wasAlreadyAuthenticated')
      holds(result.user.linkedAccounts.length > 0, 'the user has an account', result.user)
      isSame((await client.getUser())?.id, result.user.id, 'the user')
      isSame(await client.ready, { authenticated: true }, 'ready')
    }),
    fact('login emits open, drawn, login, token and close once each, in this order', async () => {
      const client = await open()
      const events = recordEvents(client, 'open', 'drawn', 'login', 'logout', 'token', 'close')
      await user.approve(client.login())
      await becomes(() => events, ['open', 'drawn', 'login', 'token granted', 'close'], 'the events')
    }),
    fact('login rejects with exited_auth_flow if the user closes it', async () => {
      const client = await open()
      const events = recordEvents(client, 'open', 'login', 'token', 'close')
      const { code, name } = await getFailure(user.refuse(client.login()), 'login')
      isSame([name, code], ['LatchkeyError', 'exited_auth_flow'], 'the error')
      isSame(await client.getUser(), null, 'the user')
      await becomes(() => events, ['open', 'close'], 'the events')
    }),
    fact('concurrent logins share one dialog', async () => {
      const client = await open()
      const promptsBefore = await user.timesAsked()
      const [one, other] = await user.approve(Promise.all([client.login(), client.login()]))
      isSame(one.user.id, other.user.id, 'the second user')
      isSame((await user.timesAsked()) - promptsBefore, 1, 'the number of prompts')
    }),
    fact('login of a logged-in user shows no dialog and sets wasAlreadyAuthenticated', async () => {
      const { client, loggedInUser } = await loggedIn()
      const promptsBefore = await user.timesAsked()
      const again = await client.login()
      isSame(
        [
          again.user.id,
          again.wasAlreadyAuthenticated,
          again.isNewUser,
          again.loginMethod,
          again.loginAccount,
        ],
        [loggedInUser.id, true, false, null, null],
        'the second login',
      )
      isSame(await user.timesAsked(), promptsBefore, 'the number of prompts')
    }),
    fact('an aborted login rejects with call_cancelled and closes its card', async () => {
      const client = await open()
      const controller = new AbortController()
      const events = recordEvents(client, 'drawn', 'close')
      client.on('drawn', () => controller.abort())
      const login = client.login({ signal: controller.signal })
      isSame((await getFailure(login, 'login')).code, 'call_cancelled', 'the code')
      await becomes(() => events, ['drawn', 'close'], 'the events')
    }),
    fact('logout emits logout, a null user and a removed token once each, in this order', async () => {
      const { client } = await loggedIn()
      const events = recordEvents(client, 'login', 'logout', 'user', 'token')
      const users: unknown[] = []
      client.on('user', (event) => users.push(event.user))
      await client.logout()
      isSame([await client.getUser(), await client.getAccessToken()], [null, null], 'the user and the token')
      await becomes(() => events, ['logout', 'user', 'token removed'], 'the events')
      isSame(users, [null], 'the emitted users')
    }),
    fact('an access token identifies the app and the user, and is reused until it expires', async () => {
      const { client, loggedInUser } = await loggedIn()
      const token = (await client.getAccessToken()) ?? ''
      const [header, claims, ...rest] = token.split('.')
      const { alg, typ, kid } = readPart(header)
      isSame([alg, typ, typeof kid, rest.length], ['ES256', 'at+jwt', 'string', 1], 'the form of the token')
      const { aud, client_id, sub, scope, iss, sid, jti, iat, exp } = readPart(claims)
      isSame([aud, client_id], [client.appId, client.appId], 'the audience and the client')
      isSame([sub, scope], [loggedInUser.id, 'host'], 'the subject and scope')
      isSame(
        [typeof iss, typeof sid, typeof jti],
        ['string', 'string', 'string'],
        'its issuer, session and id',
      )
      isSame(Number(exp) - Number(iat), 900, 'the lifetime in seconds')
      isSame(await client.getAccessToken(), token, 'the next token')
    }),
    fact(
      'the state contains the user and their wallets, and stays the same object until it changes',
      async () => {
        const client = await open()
        const { getSnapshot, subscribe } = stateOf(client)
        isSame(getSnapshot().status, 'loading', 'the status at first')
        const seen: unknown[] = []
        const stop = subscribe(() => {
          const { status, user, wallets } = getSnapshot()
          if (user) seen.push([status, wallets.length])
        })
        await becomes(() => [getSnapshot().status, getSnapshot().user], ['ready', null], 'the state')
        await user.approve(client.login())
        await becomes(
          () =>
            getSnapshot().wallets.map(({ kind, linked, walletClientType }) => [
              kind,
              linked,
              walletClientType,
            ]),
          [['embedded', true, 'latchkey']],
          'the wallets',
        )
        await becomes(
          () => /^eip155:\d+$/.test(getSnapshot().chain ?? ''),
          true,
          'whether the chain is known',
        )
        await becomes(() => getSnapshot().isOpen, false, 'whether the dialog is open')
        const snapshot = getSnapshot()
        await client.getUser()
        holds(getSnapshot() === snapshot && Object.isFrozen(snapshot), 'it is the same object, and frozen')
        stop()
        const seenBefore = seen.length
        await client.logout()
        await becomes(
          () => [getSnapshot().user, getSnapshot().wallets],
          [null, []],
          'the state after a logout',
        )
        isSame(seen.length, seenBefore, 'the number of snapshots after unsubscribing')
      },
    ),
    fact('signMessage returns a wallet signature after approval', async () => {
      const { client } = await loggedIn()
      const signed = await user.approve(client.signMessage('Two herons'))
      holds(signature.test(signed.signature), 'a signature has 65 bytes', signed.signature)
      isSame(signed.address, (await client.getUser())?.wallet?.address, 'the address')
      holds(address.test(signed.address), 'it is an address', signed.address)
    }),
    fact('signMessage rejects with user_rejected_request if the user closes it', async () => {
      const { client } = await loggedIn()
      const { code } = await getFailure(user.refuse(client.signMessage('Two herons')), 'signMessage')
      isSame(code, 'user_rejected_request', 'the code')
    }),
    fact(
      'calls that need a user reject with must_be_authenticated for a visitor, without a prompt',
      async () => {
        const client = await open()
        await isRefused(() => client.signMessage('Two herons'), 'must_be_authenticated', 'signMessage')
        await isRefused(() => client.createWallet(), 'must_be_authenticated', 'createWallet')
        await isRefused(() => client.exportWallet(), 'must_be_authenticated', 'exportWallet')
        await isRefused(() => client.linkEmail(), 'must_be_authenticated', 'linkEmail')
        await isRefused(() => client.forkSession(), 'must_be_authenticated', 'forkSession')
      },
    ),
    fact('invalid calls reject with their error code, without a prompt', async () => {
      const { client, loggedInUser } = await loggedIn()
      const wallet = (await client.getUser())?.wallet?.address ?? ''
      holds(address.test(wallet), 'the user has a wallet', loggedInUser)
      await isRefused(() => client.signMessage(''), 'invalid_message', 'an empty message')
      await isRefused(() => client.signTypedData('{}'), 'invalid_message', 'typed data without types')
      await isRefused(() => client.createWallet(), 'embedded_wallet_already_exists', 'a second wallet')
      await isRefused(() => client.getSolanaProvider(), 'embedded_wallet_not_found', 'a Solana wallet')
      await isRefused(() => client.importWallet(`0x${'11'.repeat(32)}`), 'not_supported', 'a key of the page')
      await isRefused(
        () => client.unlinkEmail('nobody@example.com'),
        'linked_account_not_found',
        'an account that is not linked',
      )
      await isRefused(
        () => client.sendTransaction({ to: '0x1' }),
        'invalid_data',
        'a transaction to an invalid address',
      )
      await isRefused(
        () => client.fundWallet(wallet, { provider: 'ramp' as never }),
        'not_supported',
        'an unknown funding provider',
      )
    }),
    fact('on() returns a function that removes the listener, and rejects an unknown event', async () => {
      const client = await open()
      const calls: string[] = []
      const removeListener = client.on('login', () => calls.push('removed'))
      client.on('login', () => calls.push('stays'))
      removeListener()
      await user.approve(client.login())
      await becomes(() => calls, ['stays'], 'the called listeners')
      const failure = await getFailure(
        (async () => client.on('lunch' as never, () => {}))(),
        'an unknown event',
      )
      isSame(failure.code, 'invalid_data', 'the code')
    }),
    fact('a destroyed client rejects every call with client_destroyed', async () => {
      const client = await open()
      client.destroy()
      isSame((await getFailure(client.getUser(), 'getUser')).code, 'client_destroyed', 'the code')
      isSame((await getFailure(client.login(), 'login')).code, 'client_destroyed', 'the code')
    }),
  ]
}

function readPart(part: string | undefined): Readonly<Record<string, unknown>> {
  const text = (part ?? '').replaceAll('-', '+').replaceAll('_', '/')
  return Object(JSON.parse(atob(text)))
}
