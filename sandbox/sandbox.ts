import { deployAccountContracts } from './chain/account-contracts.ts'
import { chainId, startChain } from './chain/anvil.ts'
import { faucetRoutes } from './chain/faucet.ts'
import { createRpcClient } from './chain/page.ts'
import { chainRoutes } from './chain/routes.ts'
import { cloudKitRoutes } from './cloudkit/routes.ts'
import { erc4337Routes } from './erc4337/routes.ts'
import { createChannels } from './farcaster/channels.ts'
import { createKeyRegistry } from './farcaster/key-registry.ts'
import { createPhone } from './farcaster/phone.ts'
import { type ChainCall, createChainCall, createRegistry } from './farcaster/registry.ts'
import { farcasterRoutes } from './farcaster/routes.ts'
import { signerRoutes } from './farcaster/signer-routes.ts'
import { createSigners } from './farcaster/signers.ts'
import { createFaultSwitch, faultsHelp, parseFaults } from './faults.ts'
import { createDrives } from './google-drive/files.ts'
import { driveRoutes } from './google-drive/routes.ts'
import { type Route, readJson, sendJson, startHttp } from './http.ts'
import { issuerRoutes } from './issuer/routes.ts'
import { createInbox } from './mail/inbox.ts'
import { mailRoutes } from './mail/routes.ts'
import { startSmtp } from './mail/smtp.ts'
import { createPayments } from './moonpay/payments.ts'
import { moonPayRoutes } from './moonpay/routes.ts'
import { createGrants } from './oauth/grants.ts'
import { createSigner } from './oauth/id-tokens.ts'
import { oauthRoutes } from './oauth/routes.ts'
import { pageRoutes } from './pages/routes.ts'
import { createCoins, priceFeedRoutes } from './price-feed/routes.ts'
import { telegramRoutes } from './telegram/routes.ts'
import { turnstileRoutes } from './turnstile/routes.ts'
import { createTokens } from './turnstile/tokens.ts'
import { messagingRoutes } from './twilio-messaging/routes.ts'
import { twilioRoutes } from './twilio-verify/routes.ts'
import { createVerify } from './twilio-verify/verify.ts'
import { unreliableRoutes } from './unreliable/routes.ts'
import { createUnreliable } from './unreliable/unreliable.ts'
import { createLazyPhone } from './walletconnect/phone-later.ts'
import { createRelay, relayPath } from './walletconnect/relay.ts'
import { walletConnectRoutes } from './walletconnect/routes.ts'

export type SandboxOptions = {
  host: string
  /** 0 selects any free port. */
  httpPort: number
  smtpPort: number
  /** `off` starts no chain. */
  chainPort: number | 'off'
}

export type Sandbox = {
  httpUrl: string
  smtpUrl: string
  chainUrl: string | undefined
  /** The WalletConnect relay. */
  relayUrl: string
  /** Resolves with the reason if a part exits before `stop` is called. */
  died: Promise<string>
  stop: () => Promise<void>
}

const ownRoutes = (faults: ReturnType<typeof createFaultSwitch>): readonly Route[] => [
  { method: 'GET', path: /^\/healthz$/, handle: ({ response }) => sendJson(response, { ok: true }) },
  {
    method: 'GET',
    path: /^\/api\/faults$/,
    handle: ({ response }) => sendJson(response, faults.current()),
  },
  {
    method: 'POST',
    path: /^\/api\/faults$/,
    handle: async ({ request, response }) => {
      const changes = parseFaults(await readJson(request))
      if (changes === undefined) {
        return sendJson(response, { error: `Send JSON { ${faultsHelp} }` }, 400)
      }
      faults.set(changes)
      sendJson(response, faults.current())
    },
  },
]

const WEI_PER_COIN = 1e18

/** Pays coins out on the chain. Does nothing without a chain. */
const createPayOut = (call: ChainCall | undefined) => async (address: string, coins: number) => {
  const wei = BigInt(Math.round(coins * 1e6)) * BigInt(WEI_PER_COIN / 1e6)
  await call?.('anvil_addBalance', address, `0x${wei.toString(16)}`)
}

/** Starts every stand-in. If one fails to start, stops those before it. */
export const startSandbox = async (options: SandboxOptions): Promise<Sandbox> => {
  const { host } = options
  const started: (() => Promise<void> | void)[] = []
  const stop = async () => {
    for (const part of started.splice(0).reverse()) await part()
  }

  const inbox = createInbox({ now: () => Date.now() })
  const faults = createFaultSwitch()
  try {
    const smtp = await startSmtp({ host, port: options.smtpPort, inbox, faults })
    started.push(smtp.stop)
    const chain =
      options.chainPort === 'off' ? undefined : await startChain({ host, port: options.chainPort })
    if (chain !== undefined) {
      started.push(chain.stop)
      await deployAccountContracts(createRpcClient(`http://${host}:${chain.port}`))
    }
    const call = chain && createChainCall(`http://${host}:${chain.port}`)
    const farcasterPhone = call && createPhone(await createRegistry(call))
    const keyRegistry = call && (await createKeyRegistry(call))
    const relay = createRelay({ now: () => Date.now() }, faults)
    let relayUrl = ''
    const phone = createLazyPhone(() => relayUrl)
    const coins = createCoins()
    const grants = createGrants({ now: () => Date.now() })
    const routes = [
      ...mailRoutes(inbox),
      ...twilioRoutes(createVerify({ now: () => Date.now() }), inbox, faults),
      ...messagingRoutes(inbox, faults),
      ...oauthRoutes(grants, createSigner(), faults),
      ...driveRoutes(createDrives(), grants, faults),
      ...cloudKitRoutes(faults),
      ...farcasterRoutes(createChannels({ now: () => Date.now() }), farcasterPhone, faults),
      ...signerRoutes(createSigners({ now: () => Date.now() }, keyRegistry), faults),
      ...moonPayRoutes(createPayments({ now: () => Date.now() }, createPayOut(call)), faults),
      ...faucetRoutes(createPayOut(call)),
      ...issuerRoutes(createSigner(), faults),
      ...priceFeedRoutes(coins, faults, () => Date.now()),
      ...telegramRoutes(faults, () => Date.now()),
      ...turnstileRoutes(createTokens({ now: () => Date.now() }), faults),
      ...walletConnectRoutes(relay, phone.get),
      ...unreliableRoutes(createUnreliable()),
      ...(chain ? erc4337Routes(`http://${host}:${chain.port}`, chainId, faults) : []),
      ...chainRoutes(chain, host, () => coins.all().ethereum ?? 0),
      ...pageRoutes,
      ...ownRoutes(faults),
    ]
    const http = await startHttp({ host, port: options.httpPort, routes, upgrades: [relay.upgrade] })
    started.push(http.stop, relay.stop, phone.stop)
    relayUrl = `ws://${host}:${http.port}${relayPath}`

    return {
      httpUrl: `http://sandbox.localhost:${http.port}`,
      smtpUrl: `smtp://${host}:${smtp.port}`,
      chainUrl: chain === undefined ? undefined : `http://${host}:${chain.port}`,
      relayUrl,
      died: chain?.died ?? new Promise<never>(() => {}),
      stop,
    }
  } catch (error) {
    await stop()
    throw error
  }
}
