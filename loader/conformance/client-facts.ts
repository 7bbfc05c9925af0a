/**
 * What pages take for granted of a client, whoever plays its dialog: the product, or a stand-in of a test. The page is one
 * on which its user logs in by themselves, and gets a wallet of Ethereum with that.
 */
import type { Latchkey } from '../calls/latchkey.ts'
import type { StateStore } from '../state/state.ts'
import type { LatchkeyEvents } from '../types/options.ts'
import { becomes, type Fact, fact, failureOf, holds, isSame, type WalletUser } from './facts.ts'

export type ClientFixture = {
  /** A client of its own for each fact, on a page where nobody is logged in. */
  client(): Promise<Latchkey>
  /** The store of the client, which `@latchkey/loader/state` makes. */
  stateOf(client: Latchkey): StateStore
  user: WalletUser
}

type EventName = keyof LatchkeyEvents
const signature = /^0x[0-9a-f]{130}$/i
const address = /^0x[0-9a-fA-F]{40}$/

export function clientFacts({ client: open, stateOf, user }: ClientFixture): readonly Fact[] {
  async function loggedIn() {
    const client = await open()
    const { user: who } = await user.approve(client.login())
    return { client, who }
  }
  const hear = (client: Latchkey, ...names: readonly EventName[]) => {
    const heard: string[] = []
    for (const name of names)
      client.on(name, (event) => heard.push(name === 'token' ? `token ${Reflect.get(event, 'type')}` : name))
    return heard
  }
  /** It rejects with this code, and nobody is asked for anything. */
  async function isRefused(asked: () => Promise<unknown>, code: string, what: string) {
    const before = await user.timesAsked()
    isSame((await failureOf(asked(), what)).code, code, `the code of ${what}`)
    isSame(await user.timesAsked(), before, 'how often somebody was asked')
  }

  return [
    fact('where nobody is logged in there is no user and no token, and ready says so', async () => {
      const client = await open()
      isSame(await client.getUser(), null, 'the user')
      isSame(await client.getAccessToken(), null, 'the token')
      isSame(await client.ready, { authenticated: false }, 'ready')
    }),
    fact('a login answers with the user that there is from then on', async () => {
      const client = await open()
      const result = await user.approve(client.login())
      isSame(result.wasAlreadyAuthenticated, false, 'wasAlreadyAuthenticated')
      holds(result.user.linkedAccounts.length > 0, 'the user has an account', result.user)
      isSame((await client.getUser())?.id, result.user.id, 'the user')
      isSame(await client.ready, { authenticated: true }, 'ready')
    }),
    fact('a login is told once: open, drawn, login and the token in this order, and then close', async () => {
      const client = await open()
      const heard = hear(client, 'open', 'drawn', 'login', 'logout', 'token', 'close')
      await user.approve(client.login())
      await becomes(() => heard, ['open', 'drawn', 'login', 'token granted', 'close'], 'what was told')
    }),
    fact('a user who closes the login has refused, and nobody is logged in', async () => {
      const client = await open()
      const heard = hear(client, 'open', 'login', 'token', 'close')
      const { code, name } = await failureOf(user.refuse(client.login()), 'login')
      isSame([name, code], ['LatchkeyError', 'exited_auth_flow'], 'the error')
      isSame(await client.getUser(), null, 'the user')
      await becomes(() => heard, ['open', 'close'], 'what was told')
    }),
    fact('two logins at once are one', async () => {
      const client = await open()
      const before = await user.timesAsked()
      const [one, other] = await user.approve(Promise.all([client.login(), client.login()]))
      isSame(one.user.id, other.user.id, 'the second user')
      isSame((await user.timesAsked()) - before, 1, 'how often somebody was asked')
    }),
    fact('a login of who is logged in already shows nothing, and says that they were', async () => {
      const { client, who } = await loggedIn()
      const before = await user.timesAsked()
      const again = await client.login()
      isSame(
        [
          again.user.id,
          again.wasAlreadyAuthenticated,
          again.isNewUser,
          again.loginMethod,
          again.loginAccount,
        ],
        [who.id, true, false, null, null],
        'the second login',
      )
      isSame(await user.timesAsked(), before, 'how often somebody was asked')
    }),
    fact('a login that is taken back rejects with call_cancelled, and its card is closed', async () => {
      const client = await open()
      const taking = new AbortController()
      const heard = hear(client, 'drawn', 'close')
      client.on('drawn', () => taking.abort())
      const asked = client.login({ signal: taking.signal })
      isSame((await failureOf(asked, 'login')).code, 'call_cancelled', 'the code')
      await becomes(() => heard, ['drawn', 'close'], 'what was told')
    }),
    fact('a logout is told as logout, no user and no token, in this order and once', async () => {
      const { client } = await loggedIn()
      const heard = hear(client, 'login', 'logout', 'user', 'token')
      const users: unknown[] = []
      client.on('user', (event) => users.push(event.user))
      await client.logout()
      isSame([await client.getUser(), await client.getAccessToken()], [null, null], 'the user and the token')
      await becomes(() => heard, ['logout', 'user', 'token removed'], 'what was told')
      isSame(users, [null], 'the user that was told')
    }),
    fact('an access token names the app and the user, and is given again while it lasts', async () => {
      const { client, who } = await loggedIn()
      const token = (await client.getAccessToken()) ?? ''
      const [header, claims, ...rest] = token.split('.')
      const { alg, typ, kid } = readPart(header)
      isSame([alg, typ, typeof kid, rest.length], ['ES256', 'JWT', 'string', 1], 'the form of the token')
      const { aud, sub, scope, iss, sid, iat, exp } = readPart(claims)
      isSame([aud, sub, scope], [client.appId, who.id, 'host'], 'whom it names')
      isSame([typeof iss, typeof sid], ['string', 'string'], 'its issuer and its session')
      isSame(Number(exp) - Number(iat), 900, 'how many seconds it lasts')
      isSame(await client.getAccessToken(), token, 'the next token')
    }),
    fact(
      'the state knows who is logged in and their wallets, and is the same object while nothing changes',
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
        await becomes(() => /^eip155:\d+$/.test(getSnapshot().chain ?? ''), true, 'that the chain is known')
        await becomes(() => getSnapshot().isOpen, false, 'whether the dialog is open')
        const snapshot = getSnapshot()
        await client.getUser()
        holds(getSnapshot() === snapshot && Object.isFrozen(snapshot), 'it is the same object, and frozen')
        stop()
        const told = seen.length
        await client.logout()
        await becomes(
          () => [getSnapshot().user, getSnapshot().wallets],
          [null, []],
          'the state after a logout',
        )
        isSame(seen.length, told, 'what was told to a listener that has gone')
      },
    ),
    fact('a message is signed by the wallet of the user once they agree', async () => {
      const { client } = await loggedIn()
      const signed = await user.approve(client.signMessage('Two herons'))
      holds(signature.test(signed.signature), 'a signature has 65 bytes', signed.signature)
      isSame(signed.address, (await client.getUser())?.wallet?.address, 'the address')
      holds(address.test(signed.address), 'it is an address', signed.address)
    }),
    fact('a user who closes what asks for a signature has refused', async () => {
      const { client } = await loggedIn()
      const { code } = await failureOf(user.refuse(client.signMessage('Two herons')), 'signMessage')
      isSame(code, 'user_rejected_request', 'the code')
    }),
    fact('a visitor is asked for nothing that needs a user: must_be_authenticated', async () => {
      const client = await open()
      await isRefused(() => client.signMessage('Two herons'), 'must_be_authenticated', 'signMessage')
      await isRefused(() => client.createWallet(), 'must_be_authenticated', 'createWallet')
      await isRefused(() => client.exportWallet(), 'must_be_authenticated', 'exportWallet')
      await isRefused(() => client.linkEmail(), 'must_be_authenticated', 'linkEmail')
      await isRefused(() => client.forkSession(), 'must_be_authenticated', 'forkSession')
    }),
    fact('what can not be done is refused with its code, and nobody is asked', async () => {
      const { client, who } = await loggedIn()
      const wallet = (await client.getUser())?.wallet?.address ?? ''
      holds(address.test(wallet), 'the user has a wallet', who)
      await isRefused(() => client.signMessage(''), 'invalid_message', 'an empty message')
      await isRefused(() => client.signTypedData('{}'), 'invalid_message', 'typed data without types')
      await isRefused(() => client.createWallet(), 'embedded_wallet_already_exists', 'a second wallet')
      await isRefused(() => client.getSolanaProvider(), 'embedded_wallet_not_found', 'a Solana wallet')
      await isRefused(() => client.importWallet(`0x${'11'.repeat(32)}`), 'not_supported', 'a key of the page')
      await isRefused(
        () => client.unlinkEmail('nobody@example.com'),
        'linked_account_not_found',
        'an account of nobody',
      )
      await isRefused(
        () => client.sendTransaction({ to: '0x1' }),
        'invalid_data',
        'a transaction to what is no address',
      )
      await isRefused(
        () => client.fundWallet(wallet, { provider: 'ramp' as never }),
        'not_supported',
        'another provider of funds',
      )
    }),
    fact(
      'a listener hears nothing after it has left, and an event that there is not is refused',
      async () => {
        const client = await open()
        const heard: string[] = []
        const leave = client.on('login', () => heard.push('left'))
        client.on('login', () => heard.push('stays'))
        leave()
        await user.approve(client.login())
        await becomes(() => heard, ['stays'], 'what was heard')
        const failure = await failureOf(
          (async () => client.on('lunch' as never, () => {}))(),
          'an event that there is not',
        )
        isSame(failure.code, 'invalid_data', 'the code')
      },
    ),
    fact('a client that was destroyed answers nothing more', async () => {
      const client = await open()
      client.destroy()
      isSame((await failureOf(client.getUser(), 'getUser')).code, 'client_destroyed', 'the code')
      isSame((await failureOf(client.login(), 'login')).code, 'client_destroyed', 'the code')
    }),
  ]
}

function readPart(part: string | undefined): Readonly<Record<string, unknown>> {
  const text = (part ?? '').replaceAll('-', '+').replaceAll('_', '/')
  return Object(JSON.parse(atob(text)))
}
