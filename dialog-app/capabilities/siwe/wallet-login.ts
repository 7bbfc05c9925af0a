/** Logs in with an external wallet, or links it. The wallet signs a message with a server nonce. */
import {
  isSameAddress,
  LatchkeyError,
  type LinkedAccount,
  siweLimits,
  type WalletAccount,
} from '@latchkey/protocol'
import { siweRoutes } from '@latchkey/protocol/api'
import { wait } from '../../browser/waiting.ts'
import type { CapabilityPorts } from '../../contract/capability.ts'
import type { MethodCode, MethodInProgress, Proof, StartedMethod } from '../../contract/login.ts'
import { groupPriority } from '../../host/settings.ts'
import { createWalletChoice, messageCode, rowsCode } from './connection/choose-wallet.ts'
import { startConnecting } from './connection/connect-wallet.ts'
import type { Connected } from './connection/use-wallet-connection.ts'
import { awaitingScreen } from './screens.ts'
import type { SignedLogin } from './sources/connector.ts'
import { type NamedWallet, namedWallet } from './sources/named-wallets.ts'
import type { OfferedWallet } from './sources/offered-wallets.ts'
import type { WalletSources } from './sources/sources.ts'

export const walletMethod = (ports: CapabilityPorts, sources: WalletSources): MethodCode => ({
  account: {
    type: 'wallet',
    isMany: true,
    idOf: (account) => (account.type === 'wallet' ? account.address : undefined),
    // Solana addresses are case-sensitive.
    normalId: (address) => (address.startsWith('0x') ? address.toLowerCase() : address),
    stays: (account) => (account.type === 'wallet' && isEmbedded(account) ? stays() : undefined),
    unlink: (address, asker) => ports.api.call(siweRoutes.unlinkWallet, { address }, asker),
  },
  loadEntry: rowsCode.load,
  start: (progress) => startWalletLogin(ports, sources, progress),
  connect: (progress) => startConnecting(ports, sources, progress),
})

const isEmbedded = ({ connectorType }: WalletAccount) => connectorType === 'embedded'
const stays = () =>
  new LatchkeyError('cannot_unlink_embedded_wallet', 'A wallet that is kept here can not be unlinked')

/** A nonce for the message. Another attempt may use it until `untilMs`. */
type Nonce = {
  address: string
  nonce: string
  expiresAtSeconds: number
  untilMs: number
}

async function startWalletLogin(
  ports: CapabilityPorts,
  sources: WalletSources,
  progress: MethodInProgress,
): Promise<StartedMethod> {
  const { api, session, clock, settings, analytics, refusals, captchaPass } = ports
  const { card, purpose } = progress
  const callOptions = { signal: card.signal, onNetwork: () => {} }
  /** A nonce that the wallet did not sign, reused by the next attempt. */
  let unused: Nonce | undefined

  const choose = createWalletChoice(ports, sources, {
    card,
    screen: awaitingScreen,
    onChosen() {
      progress.chosen()
      ports.load(messageCode.load).catch(() => {})
    },
    use: signIn,
    onFailed: (error) => progress.failed?.(error),
    startOver: progress.startOver,
    leave: progress.leave,
  })

  async function signIn({ wallet, connector, account, isRetry, show, isPresent, signal }: Connected) {
    const { address, chainId, peer } = account
    show({ status: 'sign' })
    const nonce = await requestNonce(address).catch((error: unknown) => {
      if (!isPresent()) return undefined
      card.back()
      progress.refuse(error)
    })
    if (!nonce || !isPresent()) return
    const branding: NamedWallet | undefined = namedWallet(wallet.key)
    if (isRetry && branding?.retryPromptDelayMs) await wait(clock, branding.retryPromptDelayMs, signal)
    const { signInMessage, solanaChain, solanaSignIn } = await ports.load(messageCode.load)
    const login = { ...nonce, origin: sources.origin(), address, chainId }
    async function sign(): Promise<SignedLogin> {
      if (connector.signIn) return connector.signIn(solanaSignIn(login), { signal })
      const message = signInMessage(login)
      return { message, signature: await connector.sign(message, address, { signal }) }
    }
    const { message, signature } = await sign()
    if (!isPresent()) return
    unused = undefined
    show({ status: 'signing' })
    const kind = {
      walletClientType: (peer?.walletClientType ?? wallet.key).slice(0, siweLimits.maxNameLength),
      connectorType: connector.connectorType,
    }
    const chain = connector.signIn ? solanaChain : `eip155:${chainId}`
    const signed = { message, signature, chainId: chain, ...kind }
    const proof: Proof = {
      logIn: (vault, caller) =>
        session.logIn(siweRoutes.loginWithSiwe, { ...signed, ...(vault && { vault }) }, caller),
      link: (caller) => api.call(siweRoutes.linkWallet, signed, caller),
    }
    const proved = await progress.prove(proof, callOptions).catch((error: unknown) => {
      const hasOwnScreen = error instanceof LatchkeyError && refusals.hasOwnScreen(error.code)
      if (!hasOwnScreen || !isPresent()) throw error
      progress.refuse(error)
    })
    if (!proved) return
    sources.remember(wallet)
    analytics('sdk_authenticate_siwe', kind)
    show({ status: 'success' })
    const isOwn = (each: LinkedAccount) => each.type === 'wallet' && isSameAddress(each.address, address)
    progress.complete({
      ...proved,
      loginMethod: 'wallet',
      loginAccount: proved.user.linkedAccounts.find(isOwn) ?? null,
    })
  }

  /** Resolves with undefined if the user went back from the captcha, which only a login requires. */
  async function requestNonce(address: string): Promise<Nonce | undefined> {
    if (unused?.address === address && clock.nowMs() < unused.untilMs) return unused
    const pass = purpose === 'login' ? await captchaPass(card) : {}
    if (!pass) {
      card.back()
      return undefined
    }
    const origin = settings().hostOrigin
    const body = { address, ...pass, ...(origin !== null && { origin }) }
    const response = await api.call(siweRoutes.beginSiwe, body, callOptions)
    const untilMs = clock.nowMs() + siweLimits.nonceLifetimeMs
    unused = { address, nonce: response.nonce, expiresAtSeconds: response.expiresAt, untilMs }
    return unused
  }

  const looking = sources.look()
  looking.then(progress.refreshRows)
  const { walletRows } = await ports.load(rowsCode.load)
  // A screen that lists wallets waits only briefly. Otherwise the button that opens the list waits.
  const isWaitedFor = purpose !== 'login' || groupPriority(settings()) === 'web3-first'
  await (isWaitedFor ? sources.briefly : sources.inTime)(looking)

  return {
    ...walletRows(ports, sources, card, choose, sources.offeredForLogin),
    resume() {
      looking.then(() => {
        const wallet = returnedTo(sources)
        if (wallet && progress.isAtEntry()) choose(wallet)
      })
    },
  }
}

/** Returns the wallet that opened this page in its browser: by its key, or the only one in the page. */
function returnedTo({ takeReturn, offered }: WalletSources): OfferedWallet | undefined {
  const returned = takeReturn()
  if (returned?.connector !== 'injected') return undefined
  const inPage = offered().filter(({ way }) => way.type === 'page')
  return (
    inPage.find(({ key }) => key === returned.walletClient) ?? (inPage.length === 1 ? inPage[0] : undefined)
  )
}
