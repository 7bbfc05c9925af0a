/** A login, or a link, by a wallet that the person brings: it signs a message with a nonce of the server. */
import {
  LatchkeyError,
  type LinkedAccount,
  product,
  siweLimits,
  type WalletAccount,
} from '@latchkey/protocol'
import { siweRoutes } from '@latchkey/protocol/api'
import { wait } from '../../browser/waiting.ts'
import type { CapabilityPorts } from '../../contract/capability.ts'
import type { MethodCode, MethodInProgress, StartedMethod } from '../../contract/login.ts'
import { groupPriority } from '../../host/settings.ts'
import { startConnecting } from './connection/connecting.ts'
import { type Connected, createConnection, messageCode } from './connection/connection.ts'
import { awaitingScreen, walletRow } from './screens.ts'
import { isSameAddress } from './sources/connector.ts'
import { type NamedWallet, namedWallet } from './sources/named-wallets.ts'
import type { OfferedWallet } from './sources/offered-wallets.ts'
import type { WalletSources } from './sources/sources.ts'
import { walletRows } from './wallet-rows.ts'

export const walletMethod = (ports: CapabilityPorts, sources: WalletSources): MethodCode => ({
  account: {
    type: 'wallet',
    isMany: true,
    idOf: (account) => (account.type === 'wallet' ? account.address : undefined),
    // The case of its letters is part of a Solana address.
    normalId: (address) => (address.startsWith('0x') ? address.toLowerCase() : address),
    stays: (account) => (account.type === 'wallet' && isEmbedded(account) ? stays() : undefined),
    unlink: (address, asker) => ports.api.call(siweRoutes.unlinkWallet, { address }, asker),
  },
  loadEntry: () => Promise.all([walletRow.component.load(), walletRow.texts.load()]),
  start: (progress) => startWalletLogin(ports, sources, progress),
  connect: (progress) => startConnecting(ports, sources, progress),
})

/** Nobody brings a Solana wallet of their own. */
const isEmbedded = ({ walletClient, chainType }: WalletAccount) =>
  walletClient === product.walletClient || chainType === 'solana'
const stays = () =>
  new LatchkeyError('cannot_unlink_embedded_wallet', 'A wallet that is kept here can not be unlinked')

/** A message is made of this, which another attempt may use until `untilMs`. */
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
  const asker = { signal: card.signal, onNetwork: () => {} }
  /** A nonce that was not sent back is used again: after a refusal in the wallet the next attempt needs no other. */
  let unused: Nonce | undefined

  const connection = createConnection(ports, sources, {
    card,
    record: awaitingScreen,
    chosen() {
      progress.chosen()
      ports.load(messageCode.load).catch(() => {})
    },
    use: signIn,
    tells(error) {
      const hasOwnScreen = refusals.hasOwnScreen(error.code)
      if (hasOwnScreen) progress.refuse(error)
      return hasOwnScreen
    },
    failed: (error) => progress.failed?.(error),
    startOver: progress.startOver,
    leave: progress.leave,
  })

  async function signIn({ wallet, connector, account, isRetry, show, isPresent, signal }: Connected) {
    const { address, chainId, peer } = account
    show({ status: 'sign' })
    const nonce = await present(address).catch((error: unknown) => {
      if (!isPresent()) return undefined
      card.back()
      progress.refuse(error)
    })
    if (!nonce || !isPresent()) return
    const branding: NamedWallet | undefined = namedWallet(wallet.key)
    if (isRetry && branding?.retryPromptDelayMs) await wait(clock, branding.retryPromptDelayMs, signal)
    const { signInMessage } = await ports.load(messageCode.load)
    const message = signInMessage({ ...nonce, origin: sources.origin(), address, chainId })
    const signature = await connector.sign(message, address, { signal })
    if (!isPresent()) return
    unused = undefined
    show({ status: 'signing' })
    const kind = {
      walletClientType: (peer?.walletClientType ?? wallet.key).slice(0, siweLimits.maxNameLength),
      connectorType: connector.connectorType,
    }
    const signed = { message, signature, chainId: `eip155:${chainId}`, ...kind }
    const proved = await progress.prove(
      {
        logIn: (vault, asked) =>
          session.logIn(siweRoutes.loginWithSiwe, { ...signed, ...(vault && { vault }) }, asked),
        link: (asked) => api.call(siweRoutes.linkWallet, signed, asked),
      },
      asker,
    )
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

  /** Undefined where the user went back from the captcha, which who is logged in already is not asked for. */
  async function present(address: string): Promise<Nonce | undefined> {
    if (unused?.address === address && clock.nowMs() < unused.untilMs) return unused
    const pass = purpose === 'login' ? await captchaPass(card) : {}
    if (!pass) {
      card.back()
      return undefined
    }
    const origin = settings().hostOrigin
    const body = { address, ...pass, ...(origin !== null && { origin }) }
    const made = await api.call(siweRoutes.beginSiwe, body, asker)
    const untilMs = clock.nowMs() + siweLimits.nonceLifetimeMs
    unused = { address, nonce: made.nonce, expiresAtSeconds: made.expiresAt, untilMs }
    return unused
  }

  const looking = sources.look()
  looking.then(progress.refreshEntry)
  // Where LANDING begins with wallets, or they stand alone, the screen waits; else the button that leads to them.
  const isWaitedFor = purpose !== 'login' || groupPriority(settings()) === 'web3-first'
  await (isWaitedFor ? sources.briefly(looking) : looking)

  return {
    ...walletRows(sources, progress, connection.choose),
    resume() {
      looking.then(() => {
        const wallet = returnedTo(sources)
        if (wallet && progress.isAtEntry()) connection.choose(wallet)
      })
    },
  }
}

/** The wallet that the person opened this page in: by its name, or because there is no other. */
function returnedTo({ takeReturn, offered }: WalletSources): OfferedWallet | undefined {
  const returned = takeReturn()
  if (returned?.connector !== 'injected') return undefined
  const inPage = offered().filter(({ way }) => way.type === 'page')
  return (
    inPage.find(({ key }) => key === returned.walletClient) ?? (inPage.length === 1 ? inPage[0] : undefined)
  )
}
