/** The dialog of the mock: an answer for every call of the contract. The types require all of them. */

import { type ConnectedWallet, LatchkeyError, type LinkedAccount } from '@latchkey/loader'
import { type FakeDialog, getAccountId, type IncomingCall } from '@latchkey/loader/fake'
import { ed25519 } from '@noble/curves/ed25519.js'
import { base64urlnopad } from '@scure/base'
import {
  crossAppAccount,
  ethereumAddress,
  ethereumKey,
  getLoginMethod,
  type Hex,
  linkedAccount,
} from './accounts.ts'
import type { Chain } from './chain.ts'
import { createEthereum } from './ethereum.ts'
import type { Ask, Flows } from './flows.ts'
import { idFrom, keyFrom, toHex } from './keys.ts'
import { noWallet, type Session } from './session.ts'
import {
  readTypedData,
  signInSolana,
  signMessage,
  signSolanaMessage,
  signSolanaTransaction,
  signTransaction,
  signTypedData,
} from './signing.ts'
import type { CallName, Control } from './types.ts'

type Ports = {
  appId: string
  session: Session
  chain: Chain
  flows: Flows
  ask: Ask
  tell: Control['tell']
  nowSeconds: () => number
  /** Completes pending calls of these names, because the page has closed their cards. */
  closeOpen: (names: readonly CallName[]) => void
}

const one = <T>(found: T | undefined, message: string): T => {
  if (found === undefined) throw new LatchkeyError('linked_account_not_found', message)
  return found
}
/** Account types of which a user may have several. */
const repeatableTypes: readonly string[] = ['wallet', 'passkey', 'cross_app', 'oidc']
const isSameAccount = (one: LinkedAccount, other: LinkedAccount) =>
  one.type === other.type && getAccountId(one) === getAccountId(other)
const enrolment: readonly CallName[] = ['showMfaEnrollment', 'enrollMfa', 'unenrollMfa']

export function createAnswers(ports: Ports): FakeDialog['answers'] {
  const { appId, session, chain, flows, ask, tell, nowSeconds, closeOpen } = ports
  const { require } = session
  let forks = 0

  /** Prompts for calls of the page. Internal calls run without a prompt. */
  const askPage = <Answer>(asked: IncomingCall, run: () => Answer) =>
    asked.name === undefined ? Promise.resolve(run()) : ask(asked.name, asked, run)
  const accounts = () => require().linkedAccounts
  const isCrossApp = (account: LinkedAccount) => account.type === 'cross_app'
  const linkedWallets = () =>
    (session.user()?.linkedAccounts ?? []).flatMap((account) =>
      account.type === 'cross_app' ? account.embeddedWallets.map(({ address }) => address) : [],
    )

  function add(account: LinkedAccount) {
    const kept = accounts()
    const isThere = kept.some((each) =>
      repeatableTypes.includes(account.type) ? isSameAccount(each, account) : each.type === account.type,
    )
    if (isThere)
      throw new LatchkeyError('cannot_link_more_of_type', `The user has an account of type ${account.type}`)
    return () => ({ user: session.change({ linkedAccounts: [...kept, account] }) })
  }
  function remove(account: LinkedAccount) {
    const kept = accounts().filter((each) => !isSameAccount(each, account))
    if ('connectorType' in account && account.connectorType === 'embedded')
      throw new LatchkeyError('cannot_unlink_embedded_wallet', 'The embedded wallet cannot be unlinked')
    if (!kept.some((each) => !('connectorType' in each && each.connectorType === 'embedded')))
      throw new LatchkeyError('cannot_unlink_sole_account', 'It is the only account of the user')
    return () => ({ user: session.change({ linkedAccounts: kept }) })
  }

  function moveTo(chainId: number) {
    if (chainId === chain.current()) return
    chain.move(chainId)
    tell('chainChanged', { chainId })
  }
  const ethereum = createEthereum({ chain, session, flows, moveTo, linkedWallets })

  const ownWallet = () => {
    const wallet = require() && session.wallet('ethereum')
    if (!wallet) throw noWallet()
    return wallet
  }

  const connectedKey = ethereumKey(`a visitor of ${appId}`)
  const connected = (): ConnectedWallet => ({
    type: 'wallet',
    address: ethereumAddress(connectedKey),
    chainType: 'ethereum',
    chainId: `eip155:${chain.current()}`,
    walletClientType: 'rainbow',
    connectorType: 'wallet_connect',
  })

  /** Requests of a connected wallet, which has its own prompt. */
  async function askConnected(
    method: string,
    params: readonly unknown[],
    asked: IncomingCall,
  ): Promise<unknown> {
    switch (method) {
      case 'personal_sign':
        return ask(
          'signMessage',
          asked,
          async () => (await signMessage(connectedKey, { raw: params[0] })).signature,
        )
      case 'eth_signTypedData_v4':
        return ask(
          'signTypedData',
          asked,
          async () =>
            (await signTypedData(connectedKey, readTypedData(String(params[1]), chain.current()))).signature,
        )
      case 'eth_sendTransaction':
        return ask('sendTransaction', asked, async () => {
          const from = ethereumAddress(connectedKey)
          const { to, data, value } = Object(params[0])
          const { hash } = await signTransaction(connectedKey, {
            transaction: { to, data, value },
            chainId: chain.current(),
            nonce: chain.countTransactions(from),
          })
          chain.add({ hash, from, to: to ?? null, chainId: chain.current() })
          return hash
        })
      default:
        return null
    }
  }

  const signerKey = () => keyFrom(`Farcaster signer of ${require().id}`)
  const farcaster = () => {
    const account = accounts().find(({ type }) => type === 'farcaster')
    if (account?.type !== 'farcaster')
      return one<never>(undefined, 'The user has no account of type farcaster')
    ownWallet()
    return account
  }

  return {
    link({ method }, asked) {
      return askPage(asked, add(linkedAccount(method, require().id, nowSeconds())))
    },
    unlink({ method, id }, asked) {
      const found = accounts().find((each) => getLoginMethod(each) === method && getAccountId(each) === id)
      return askPage(asked, remove(one(found, 'The user has no such account')))
    },
    updateEmail(_, asked) {
      const email = one(
        accounts().find(({ type }) => type === 'email'),
        'The user has no account of type email',
      )
      const next = linkedAccount('email', `${require().id} ${getAccountId(email)}`, nowSeconds())
      return askPage(asked, () => ({
        user: session.change({
          linkedAccounts: accounts().map((each) => (each.type === 'email' ? next : each)),
        }),
      }))
    },
    reauthorize({ provider }, asked) {
      const { id } = require()
      one(
        accounts().find((each) => getLoginMethod(each) === provider),
        `The user has no account of ${provider}`,
      )
      return askPage(asked, () => {
        const user = require()
        tell('oauthTokens', { tokens: { provider, accessToken: idFrom(`${provider} of ${id}`) }, user })
        return { user }
      })
    },
    linkCrossAppAccount({ appId: provider }, asked) {
      return askPage(asked, add(crossAppAccount(provider, require().id, nowSeconds())))
    },
    unlinkCrossAppAccount({ subject }, asked) {
      const found = accounts().find((each) => isCrossApp(each) && getAccountId(each) === subject)
      return askPage(asked, remove(one(found, 'The user has no such account')))
    },
    connectWallet({ suggestedAddress }, asked) {
      return askPage(asked, () => {
        const wallet = connected()
        if (suggestedAddress !== undefined && suggestedAddress.toLowerCase() !== wallet.address.toLowerCase())
          throw new LatchkeyError('exited_link_flow', `The only wallet of the mock is ${wallet.address}`)
        return { wallet }
      })
    },
    async connectOrCreateWallet(_, asked) {
      if (session.user() === null) return askPage(asked, () => ({ wallet: connected() }))
      return { wallet: session.wallet('ethereum') ?? session.addWallet('ethereum') }
    },
    async connectedWalletRequest({ method, params }, asked) {
      return { result: await askConnected(method, params, asked) }
    },
    disconnectWallet: () => ({}),
    forkSession() {
      forks += 1
      return { code: idFrom(`fork ${forks} of ${require().id}`), expiresInSeconds: 60 }
    },

    createWallet: () => ({ wallet: session.addWallet('ethereum') }),
    createSolanaWallet: () => ({ wallet: session.addWallet('solana') }),
    solanaWallet() {
      const wallet = require() && session.wallet('solana')
      if (!wallet) throw new LatchkeyError('embedded_wallet_not_found', 'The user has no Solana wallet')
      return { wallet }
    },
    setWalletRecovery(_, asked) {
      const { address } = ownWallet()
      return askPage(asked, () => {
        session.change({
          linkedAccounts: accounts().map((each) =>
            each.type === 'wallet' && each.address === address
              ? { ...each, recoveryMethod: 'user-passcode' }
              : each,
          ),
        })
        return { wallet: ownWallet() }
      })
    },
    exportWallet(_, asked) {
      ownWallet()
      return askPage(asked, () => ({}))
    },
    importWallet({ privateKey }, asked) {
      const { id } = require()
      if (privateKey !== undefined)
        throw new LatchkeyError('not_supported', 'The operator has not allowed pages to pass keys')
      if (session.wallet('ethereum'))
        throw new LatchkeyError('embedded_wallet_already_exists', 'The user has a wallet already')
      return askPage(asked, () => ({
        wallet: session.addWallet('ethereum', ethereumKey(`imported by ${id}`)),
      }))
    },
    fundWallet({ address, provider }, asked) {
      if (provider !== 'moonpay')
        throw new LatchkeyError('not_supported', `Unsupported fund provider: ${provider}`)
      const isSame = (each: LinkedAccount) =>
        each.type === 'wallet' && each.address.toLowerCase() === address.toLowerCase()
      one(accounts().find(isSame), 'The user has no such wallet')
      return askPage(asked, () => ({ status: 'completed' as const }))
    },

    showMfaEnrollment(_, asked) {
      require()
      return askPage(asked, () => ({ user: require() }))
    },
    enrollMfa({ method }, asked) {
      const others = require().mfaMethods.filter((each) => each !== method)
      return askPage(asked, () => changeMfa([...others, method]))
    },
    unenrollMfa({ method }, asked) {
      const others = require().mfaMethods.filter((each) => each !== method)
      return askPage(asked, () => changeMfa(others))
    },
    closeMfaEnrollment() {
      closeOpen(enrolment)
      return {}
    },
    initMfa: () => ({}),
    submitMfa: () => ({}),
    cancelMfa: () => ({}),

    signMessage: ({ message, address }, asked) =>
      flows.signMessage(message, { address: address as Hex }, asked),
    signTypedData: ({ data, address }, asked) =>
      flows.signTypedData(data, { address: address as Hex }, asked),
    signSolanaMessage({ message }, asked) {
      if (!(require() && session.wallet('solana'))) throw noWallet()
      const signed = signSolanaMessage(session.solanaKey(), message)
      return ask('signMessage', asked, () => signed)
    },
    signInSolana({ fields }, asked) {
      if (!(require() && session.wallet('solana'))) throw noWallet()
      const signed = signInSolana(session.solanaKey(), fields)
      return ask('signMessage', asked, () => signed)
    },
    signSolanaTransaction({ transaction }, asked) {
      if (!(require() && session.wallet('solana'))) throw noWallet()
      const signed = signSolanaTransaction(session.solanaKey(), transaction)
      return ask('sendTransaction', asked, () => signed)
    },
    sendSolanaTransaction({ transaction }, asked) {
      if (!(require() && session.wallet('solana'))) throw noWallet()
      const sent = signSolanaTransaction(session.solanaKey(), transaction)
      return ask('sendTransaction', asked, () => sent)
    },
    async signTransaction({ transaction }, asked) {
      return { signedTransaction: (await flows.signTransaction(transaction, asked)).signed }
    },
    async sendTransaction({ transaction, address }, asked) {
      return {
        receipt: (await flows.sendTransaction(transaction, { address: address as Hex }, asked)).receipt,
      }
    },
    sendBatch: ({ request }, asked) => flows.sendBatch(request, asked),
    batchStatus: ({ id }) => flows.batchStatus(id),
    showBatch({ id }) {
      const status = flows.batchStatus(id)
      return 'refused' in status ? status : { result: null }
    },
    requestFarcasterSigner(_, asked) {
      const { fid } = farcaster()
      return askPage(asked, () => ({ publicKey: toHex(ed25519.getPublicKey(signerKey())), fid }))
    },
    signFarcasterMessage({ hash }, asked) {
      farcaster()
      const signature = ed25519.sign(base64urlnopad.decode(hash), signerKey())
      return askPage(asked, () => ({ signature: base64urlnopad.encode(signature) }))
    },

    ethereumState({ wallet }) {
      const chainId = chain.current()
      const [own] = ethereum.accounts(wallet)
      if (wallet === undefined) return { chainId, accounts: own === undefined ? [] : [own] }
      const account = (session.user()?.linkedAccounts ?? []).find(
        (each) =>
          each.type === 'cross_app' &&
          each.embeddedWallets.some(({ address }) => address.toLowerCase() === wallet.toLowerCase()),
      )
      if (own === undefined || account?.type !== 'cross_app')
        throw new LatchkeyError('cross_app_connection_not_allowed', 'The user has not linked this wallet')
      const linked = { address: own, appId: account.providerApp.id, isAnnounced: false }
      return { chainId, accounts: [own], linked }
    },
    ethereumRequest: ethereum.answer,
    ethereumRead: ethereum.answer,
    ethereumRequestForUser: ethereum.answer,
  }

  function changeMfa(methods: ReturnType<typeof require>['mfaMethods']) {
    const verifiedAt = nowSeconds()
    return { user: session.change({ mfaMethods: methods.map((type) => ({ type, verifiedAt })) }) }
  }
}
