/**
 * The core of the official client, without verification requests and without connections after closing. Its options
 * offer neither. The client receives it as its option `core`.
 */
import { Core, MessageTracker, Relayer } from '@walletconnect/core'

type CoreOptions = NonNullable<ConstructorParameters<typeof Core>[0]> & {
  projectId: string
  relayUrl: string
}
/** Its storage may contain unfinished work of an earlier run. */
type Resuming = { resumes: boolean }

export class RelayCore extends Core {
  declare readonly projectId: string
  declare readonly relayUrl: string
  override readonly relayer: ClosableRelayer

  /**
   * The library's own verifier would load the provider's page in a frame, which our CSP blocks, wait five seconds for
   * it, and query the provider's server for each proposal. Both sides are shown as unverified instead. No option
   * disables it:
   * https://github.com/WalletConnect/walletconnect-monorepo/blob/v2.0/packages/core/src/controllers/verify.ts
   */
  override readonly verify = {
    core: this,
    logger: this.logger,
    store: this.storage,
    context: 'verify',
    register: async () => '',
    resolve: async () => ({ origin: '' }),
  }

  constructor(options: CoreOptions, { resumes }: Resuming) {
    super(options)
    this.relayer = new ClosableRelayer(this, { resumes })
  }

  close(): void {
    this.heartbeat.stop()
    this.relayer.close()
    // The library caches each core by name, and would return the closed one to the next client.
    const cacheName = `_walletConnectCore_${this.opts?.customStoragePrefix}`
    for (const name of [cacheName, `${cacheName}_count`]) Reflect.deleteProperty(globalThis, name)
  }
}

/** https://github.com/WalletConnect/walletconnect-monorepo/blob/v2.0/packages/core/src/controllers/relayer.ts */
class ClosableRelayer extends Relayer {
  private isClosed = false

  constructor(core: RelayCore, { resumes }: Resuming) {
    const { logger, projectId, relayUrl } = core
    super({ core, logger, projectId, relayUrl })
    const { request } = this
    // A subscription without a connection would connect repeatedly while the relay refuses. The next connection
    // subscribes anyway.
    this.request = async (call) => {
      if (call.method === 'irn_batchSubscribe' && !this.connected) throw new Error('No connection')
      return request(call)
    }
    if (!resumes) this.messages = new MessagesOfThisRun(this.logger, core)
    // A connection that was opening when the core was closed.
    this.on('relayer_connect', () => this.isClosed && this.hangUp())
  }

  /** Called before each connection, including delayed requests and reconnects that may follow the close. */
  override async confirmOnlineStateOrThrow(): Promise<void> {
    if (this.isClosed) throw new Error('No connection')
    await super.confirmOnlineStateOrThrow()
  }

  close(): void {
    this.isClosed = true
    this.hangUp()
  }

  private hangUp(): void {
    this.transportClose().catch(() => {})
  }
}

/**
 * The library processes leftovers of an earlier run a second after its start. This would handle current work twice.
 * https://github.com/WalletConnect/walletconnect-monorepo/blob/v2.0/packages/sign-client/src/controllers/engine.ts
 */
class MessagesOfThisRun extends MessageTracker {
  override readonly getWithoutAck = () => ({})
}
